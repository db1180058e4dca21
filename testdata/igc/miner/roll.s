	.text
_roll::
// lineno: 3
	or	0x1d,r0,r20
	st.l	r20,8(r16)
	orh	0x3c90,r0,r18
	or	0xf734,r18,r19
	st.l	r19,4(r16)
	adds	8,r16,r16
// lineno: 4
	or	0xf78b,r0,r18
	orh	0x0090,r18,r18
	st.l	r18,4(r16)
	addu	4,r16,r16
	orh	h%.C00741,r0,r30
	fld.l	l%.C00741(r30),f9
	fst.l	f9,4(r16)++
// lineno: 5
	or	0x307,r0,r18
	or	0x382,r0,r19
	st.l	r19,8(r16)
	st.l	r18,4(r16)
	adds	8,r16,r16
// lineno: 6
	orh	0x3a80,r0,r18
	or	0x4834,r18,r18
	mov	r18,r21
	st.l	r21,4(r16)
	adds	4,r16,r16
// lineno: 7
	orh	0x3d00,r0,r18
	or	0x485a,r18,r18
	st.l	r18,4(r16)
	adds	4,r16,r16
// lineno: 8
	and	0xff,r17,r22
	st.l	r22,4(r16)
	adds	4,r16,r16
	bri	r1
	 nop
	.data
.C00741:
	.float	1.0
