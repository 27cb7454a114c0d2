import { describe, test } from 'vitest'

const isLong = process.env['LONG'] === '1'
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing })

/**
 * A test that the quick form of its suite leaves out: one more variant of a test beside it. The suite with `-long` in
 * its name runs it (LONG in `vitest.config.ts`).
 */
export const longTest: typeof test = isLong ? test : (nothing as typeof test)

/** The same for a `describe` that has no other tests. */
export const longDescribe: typeof describe = isLong ? describe : (nothing as typeof describe)
