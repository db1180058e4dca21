// The rolling pointer: stores out of order, autoincrement, two calls on one line, arguments that are symbols.
void roll(int dst) {
    IGC_SCAintoMEM_S1(52, 5, 29);
    IGC_SCAintoMEM_S1(139, 13, 1.0f);
    IGC_MEMintoENAB(7); IGC_MEMintoENAB(130);
    IGC_MEMBARintoENAB(52, 1);
    IGC_MEMBARintoENAB(90, 6);
    IGC_MEMBARintoENAB(dst, 3);
}
