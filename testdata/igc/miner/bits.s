	.text
_bits::
// lineno: 3
	or	0x100,r0,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
// lineno: 4
	or	0x303,r0,r19
	st.l	r19,0(r16)
	adds	4,r16,r16
// lineno: 5
	or	0xa21,r0,r20
	orh	0x1,r20,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
// lineno: 7
	or	0x340,r0,r21
	st.l	r21,0(r16)
	adds	4,r16,r16
// lineno: 8
	st.l	r0,0(r16)
	adds	4,r16,r16
// lineno: 9
	or	0x100,r0,r23
	st.l	r23,0(r16)
	adds	4,r16,r16
// lineno: 10
	or	0xac8,r0,r18
	orh	0x1,r18,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
// lineno: 11
	st.l	r0,0(r16)
	adds	4,r16,r16
// lineno: 12
	or	0xb509,r0,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
	bri	r1
	 nop
	.data
