// A sample of our own for the miner, in the shape of a list of coefficient macros.
void bits(void) {
    IGC_SETENABS();
    IGC_MEMintoENAB(3);
    IGC_ENABxoreqMEM(0x21); /* two
       lines of comment */
    IGC_MEMintoENAB(64);
    IGC_NOOP();
    IGC_SETENABS();
    IGC_ENABxoreqMEM(200);
    IGC_NOOP();
    IGC_ENABintoMEM(9);
}
