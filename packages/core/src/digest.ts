/* The digest that knows no tool, under its earlier name. `digest/digest-reader.ts` is what new code wants. */
export { capDigest, DIGEST_LIMIT } from './digest/cap.ts'
export { genericDigest as digestOf } from './digest/digest-reader.ts'
