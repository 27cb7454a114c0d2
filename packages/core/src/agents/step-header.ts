/** With it the built-in agent names its step, so that the gateway counts all calls that are made for it together. */
export const STEP_HEADER = 'x-beadloom-step'
/** With it a sub-agent of the built-in agent says who it is. A claim: only the scripted model goes by it. */
export const AGENT_HEADER = 'x-beadloom-agent'
