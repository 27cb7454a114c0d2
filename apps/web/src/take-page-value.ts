import { takePageValue } from './api/page-value.ts'

/**
 * The address is without the value at once; whether it is kept may take an answer of the server. Waiting for that here
 * would keep all modules waiting, and make the bundler cut the first load otherwise.
 */
export const valueTaken = takePageValue()
