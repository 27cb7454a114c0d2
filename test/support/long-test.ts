import { test } from 'vitest'

const nothing: unknown = new Proxy(() => nothing, { get: () => nothing })

/**
 * A test that the quick form of its suite leaves out: one more variant of what a test beside it shows. The suite with
 * `-long` in its name has it (LONG in `vitest.config.ts`).
 */
export const longTest: typeof test = process.env['LONG'] === '1' ? test : (nothing as typeof test)
