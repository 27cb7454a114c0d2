/** With it the built-in agent names its step, so that the gateway counts all calls that are made for it together. */
export const STEP_HEADER = 'x-beadloom-step'
