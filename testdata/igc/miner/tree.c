// A sample of our own for the miner, in the shape of a list of coefficient macros.
void tree(void) {
    IGC_TREEintoMEM_L3(57, 7, 1.0f, -1.0f, 0.5f);
    IGC_CPY(52, 64, 5);
    IGC_TREEintoMEM_L3(64, 15, 0.25f, 2.0f, -3.0f);
    IGC_TREEintoMEM_L3(82, 8, -1.5f, 0.0f, 8.0f);
    IGC_CPY(100, 7, 12);
    IGC_TREEintoMEM_L3(33, 20, 3.0f, 1.0f, 4.0f);
    IGC_CPY(179, 143, 3);
}
