	.text
_tree::
// lineno: 3
	orh	0x3d2a,r0,r18
	or	0x4339,r18,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
	orh	h%.C00700,r0,r30
	fld.l	l%.C00700(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00701,r0,r30
	fld.l	l%.C00701(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00702,r0,r30
	fld.l	l%.C00702(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
// lineno: 4
	or	0x4c34,r0,r19
	orh	0xbc00,r19,r19
	st.l	r19,0(r16)
	adds	4,r16,r16
	or	0x40,r0,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
// lineno: 5
	orh	0x412a,r0,r21
	or	0x4340,r21,r21
	st.l	r21,0(r16)
	adds	4,r16,r16
	orh	h%.C00703,r0,r30
	fld.l	l%.C00703(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00704,r0,r30
	fld.l	l%.C00704(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00705,r0,r30
	fld.l	l%.C00705(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
// lineno: 6
	orh	0x3daa,r0,r22
	or	0x4352,r22,r22
	st.l	r22,0(r16)
	adds	4,r16,r16
	orh	h%.C00706,r0,r30
	fld.l	l%.C00706(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00707,r0,r30
	fld.l	l%.C00707(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00708,r0,r30
	fld.l	l%.C00708(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
// lineno: 7
	or	0x4c64,r0,r23
	orh	0xbf80,r23,r23
	st.l	r23,0(r16)
	adds	4,r16,r16
	or	0x7,r0,r18
	st.l	r18,0(r16)
	adds	4,r16,r16
// lineno: 8
	orh	0x43aa,r0,r19
	or	0x4321,r19,r19
	st.l	r19,0(r16)
	adds	4,r16,r16
	orh	h%.C00709,r0,r30
	fld.l	l%.C00709(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00710,r0,r30
	fld.l	l%.C00710(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
	orh	h%.C00711,r0,r30
	fld.l	l%.C00711(r30),f8
	fst.l	f8,0(r16)
	adds	4,r16,r16
// lineno: 9
	or	0x4cb3,r0,r20
	orh	0xbb00,r20,r20
	st.l	r20,0(r16)
	adds	4,r16,r16
	or	0x8f,r0,r21
	st.l	r21,0(r16)
	adds	4,r16,r16
	bri	r1
	 nop
	.data
.C00700:
	.float	1.0
.C00701:
	.long	0xbf800000
.C00702:
	.float	0.5
.C00703:
	.long	0x3e800000
.C00704:
	.float	2.0
.C00705:
	.long	0xc0400000
.C00706:
	.float	-1.5
.C00707:
	.long	0x00000000
.C00708:
	.float	8.0
.C00709:
	.long	0x40400000
.C00710:
	.float	1.0
.C00711:
	.long	0x40800000
