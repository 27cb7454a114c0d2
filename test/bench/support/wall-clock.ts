/** Milliseconds UTC with a fraction, so that times of several processes of one machine can be compared. */
export const wallClock = (): number => performance.timeOrigin + performance.now()
