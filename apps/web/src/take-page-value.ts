import { takePageValue } from './api/page-value.ts'

await takePageValue() // all that is imported after this waits
