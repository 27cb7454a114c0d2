import { expect, test } from 'vitest'
import { unknownRuntime } from './runtimes.ts'

const info = { Runtimes: { runc: { path: 'runc' }, 'io.containerd.runc.v2': { path: 'runc' } } }

test('a runtime that the engine lacks is refused with the available ones, and the file to write', () => {
  expect(unknownRuntime('runsc', info, 'Docker 28.1')).toMatch(
    /^Docker 28\.1 has no runtime "runsc", so nothing starts there\. It has: io\.containerd\.runc\.v2, runc\. .*"runtimes" in \/etc\/docker\/daemon\.json/,
  )
  expect(unknownRuntime('crun', { Runtimes: {} }, 'Podman 4.3.1')).toMatch(/It has: none\. .*containers\.conf/)
})

test.each([
  ['one that is there', 'runc', info],
  ['none', null, info],
  ['a shim of containerd, which is found by its name alone', 'io.containerd.runsc.v1', info],
  ['any, where the engine lists none', 'runsc', {}],
])('%s is not refused', (_, asked, said) => {
  expect(unknownRuntime(asked, said, 'Docker 28.1')).toBeNull()
})

test('a property that every object has is no runtime', () => {
  expect(unknownRuntime('toString', info, 'Docker 28.1')).not.toBeNull()
})
