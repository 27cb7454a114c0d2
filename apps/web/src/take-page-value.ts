import { takePageValue } from './api/page-value.ts'

/**
 * The value leaves the address at once; deciding whether to keep it may take an answer of the server. Waiting for that
 * here would hold up all modules and make the bundler split the first load.
 */
export const valueTaken = takePageValue()
