import { describe, expect, test } from 'vitest'
import { brokenPromise, runtimeSeen, runtimeWords, withoutUserNamespace } from './runtime-seen.ts'

const HOST = '6.1.0-28-amd64'
const ALL = '         0          0 4294967295\n'

const seen = (changes: { release?: string; uidMap?: string; kernelLog?: string }, hostsKernel: string | null = HOST) =>
  runtimeSeen({ release: `${HOST}\n`, uidMap: ALL, kernelLog: '', ...changes }, hostsKernel)

describe('a container that runc runs', () => {
  test('has the kernel of its host, and is distinguished from one with a user namespace', () => {
    expect(seen({})).toEqual({ kernel: HOST, isOwnKernel: false, isGvisor: false, root: 0 })
    expect(seen({ uidMap: '         0     100000      65536\n' }).root).toBe(100_000)
  })

  test('of a rootless engine has the engine’s user as its root, even if the map has more lines', () => {
    expect(seen({ uidMap: '         1     100000      65536\n         0       1000          1\n' }).root).toBe(1000)
  })

  test('with nonsense about its users, or without a root, is not called safe for it', () => {
    for (const uidMap of ['', 'all of them', '1000 1000 1\n']) expect(seen({ uidMap }).root).toBeNull()
  })
})

describe('a container with a kernel of its own', () => {
  test.each([
    ['by its release', { release: '6.12.28' }, false],
    ['gVisor by its log', { release: HOST, kernelLog: '[    0.000000] Starting gVisor...\n' }, true],
    ['gVisor by its release', { release: '4.19.0-gvisor' }, true],
  ])('is known %s, and its users say nothing of the host’s', (_, said, isGvisor) => {
    expect(seen(said)).toMatchObject({ isOwnKernel: true, isGvisor, root: null })
  })

  test('is neither known nor denied if the engine does not name its own', () => {
    expect(seen({}, null)).toMatchObject({ isOwnKernel: null, root: 0 })
    expect(seen({ release: '' })).toMatchObject({ isOwnKernel: null })
  })
})

describe("the promise in a runtime's name", () => {
  test.each(['runsc', 'runsc-kvm', 'kata', 'kata-runtime', 'io.containerd.kata.v2', 'gvisor'])(
    'has to be seen: %s on the host’s kernel is another program',
    (name) => {
      expect(brokenPromise(name, seen({}))).toMatch(
        new RegExp(`^containers of the runtime ${name} .*their host's kernel`),
      )
      expect(brokenPromise(name, seen({ release: '6.12.28' }))).toBeNull()
    },
  )

  test('is a user namespace for sysbox', () => {
    expect(brokenPromise('sysbox-runc', seen({}))).toMatch(/have to have a user namespace/)
    expect(brokenPromise('sysbox-runc', seen({ uidMap: '0 100000 65536\n' }))).toBeNull()
  })

  test('is nothing for any other, and for an unnamed one', () => {
    for (const name of ['runc', 'crun', 'nvidia', null]) expect(brokenPromise(name, seen({}))).toBeNull()
  })

  test('is believed if it cannot be seen', () => {
    expect(brokenPromise('runsc', seen({}, null))).toBeNull()
  })
})

test('an engine that claims user namespaces is not believed when a container has none', () => {
  expect(withoutUserNamespace({ hasUserNamespace: true }, seen({}))).toMatch(/root in it is root of its host/)
  expect(withoutUserNamespace({ hasUserNamespace: true }, seen({ uidMap: '0 100000 65536\n' }))).toBeNull()
  expect(withoutUserNamespace({ hasUserNamespace: false }, seen({}))).toBeNull()
})

test.each([
  ['runc', {}, "runtime runc: their host's kernel, no user namespace"],
  [
    'runc',
    { uidMap: '0 100000 65536\n' },
    "runtime runc: their host's kernel, a user namespace (their root is user 100000 of the host)",
  ],
  ['runsc', { kernelLog: 'Starting gVisor' }, `runtime runsc: gVisor, a kernel of their own (${HOST})`],
  ['kata', { release: '6.12.28' }, 'runtime kata: a kernel of their own (6.12.28)'],
])('people read about %s with %o: %s', (name, said, words) => {
  expect(runtimeWords(name, seen(said))).toBe(words)
})

test('before anybody has looked, only the name is shown', () => {
  expect(runtimeWords('runc', null)).toBe('runtime runc')
  expect(runtimeWords(null, null)).toBeNull()
})
