/** Names the built-in agent's step, so that the gateway counts all calls for this step together. */
export const STEP_HEADER = 'x-beadloom-step'
/** Names the sub-agent of the built-in agent that calls. Anybody can claim it: only the scripted model relies on it. */
export const AGENT_HEADER = 'x-beadloom-agent'
