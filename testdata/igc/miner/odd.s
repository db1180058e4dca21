	.text
_odd::
// lineno: 3
	or	0x30a,r0,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
// lineno: 4
	or	0x314,r0,r19
	st.l	r19,0(r16)
	adds	4,r16,r16
// lineno: 5
	or	0x323,r0,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
// lineno: 6
	or	0x339,r0,r21
	st.l	r21,0(r16)
	adds	4,r16,r16
// lineno: 7
	or	0x34d,r0,r22
	st.l	r22,0(r16)
	adds	4,r16,r16
// lineno: 8
	or	0x100,r0,r23
	st.l	r23,0(r16)
	adds	4,r16,r16
// lineno: 9
	or	0x100,r0,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
	st.l	r0,0(r16)
	adds	4,r16,r16
// lineno: 10
	or	0x200,r0,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
// lineno: 11
	or	0x240,r0,r21
	st.l	r21,0(r16)
	adds	4,r16,r16
// lineno: 13
	ld.l	4(r5),r20
	st.l	r20,0(r16)
	adds	4,r16,r16
// lineno: 14
	or	0xb511,r0,r22
	st.l	r22,0(r16)
	adds	4,r16,r16
	bri	r1
	 nop
	.data
