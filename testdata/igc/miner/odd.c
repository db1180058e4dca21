// A sample of our own for the miner, in the shape of a list of coefficient macros.
void odd(void) {
    IGC_MEMintoENAB(10);
    IGC_MEMintoENAB(20);
    IGC_MEMintoENAB(35);
    IGC_MEMintoENAB(50);
    IGC_MEMintoENAB(77);
    IGC_SETENABS();
    IGC_SETENABS();
    IGC_CLRENABS();
    IGC_CLRENABS();
    IGC_NOOP();
    IGC_ENABintoMEM(base);
    IGC_ENABintoMEM(base);
}
