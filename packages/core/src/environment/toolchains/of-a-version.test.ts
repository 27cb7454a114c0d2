import { expect, test } from 'vitest'
import { isOfAVersion } from './of-a-version.ts'

test.each([
  'error: Source option 5 is no longer supported. Use 7 or later.',
  'error: invalid target release: 21',
  'java.lang.UnsupportedClassVersionError: A has been compiled by a more recent version of the Java Runtime',
  'error: package `time v0.3.47` cannot be built because it requires rustc 1.88.0 or newer',
  'go: go.mod requires go >= 1.26.0 (running go 1.24.4; GOTOOLCHAIN=local)',
  "ERROR: Package 'x' requires a different Python: 3.11.2 not in '>=3.14'",
  'npm error code EBADENGINE',
])('messages of a toolchain of another version are recognised: %s', (line) => {
  expect(isOfAVersion(`first\n${line}\nlast`)).toBe(true)
})

test.each(['1 test failed: it requires a login', 'error: source file not found', 'expected node to be red'])(
  'nothing else is mistaken for one: %s',
  (line) => expect(isOfAVersion(line)).toBe(false),
)
