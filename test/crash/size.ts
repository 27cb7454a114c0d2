/** `npm test` runs the fault tests in a short form, `npm run test:faults` at length. */
export const isLong = process.env['FAULTS'] === 'long'

export const sized = (short: number, long: number): number => (isLong ? long : short)

/** Chooses the moments of the kills; another seed meets other moments. */
export const seed = Number(process.env['FAULT_SEED'] ?? 1)
