import { expect, test } from 'vitest'
import { podOf } from '../pod-manifest.ts'
import { lookingAtItself } from './probe-pod.ts'

const sandbox = podOf(
  {
    name: 'beadloom-probe-1',
    network: 'none',
    cpus: 2,
    memoryBytes: 2 ** 30,
    processes: 512,
    image: 'sha256:1',
    labels: { execution: '', kind: '' },
    linkFolder: null,
    magic: '',
  },
  { cpus: 2, memoryBytes: 2 ** 30, clamped: [] },
  {
    instance: 'doctor',
    architecture: 'amd64',
    caBundle: null,
    reference: 'registry.example.org/a:1',
    images: { registry: 'registry.example.org' },
    namespace: 'sandboxes',
    userNamespaces: true,
    runtimeClass: 'no-network',
  },
)
const looks = lookingAtItself(sandbox, { script: 'echo all', node: 'node2' })

test('a pod that looks at itself is confined like a sandbox: only its place, its end and its program differ', () => {
  const { nodeSelector, activeDeadlineSeconds, initContainers, ...rest } = looks.spec ?? {}
  const { schedulingGates, nodeSelector: anywhere, initContainers: theirs, ...usual } = sandbox.spec ?? {}
  expect(schedulingGates).toHaveLength(1)
  expect(rest).toEqual(usual)
  expect(nodeSelector).toEqual({ ...anywhere, 'kubernetes.io/hostname': 'node2' })
  expect(activeDeadlineSeconds).toBeLessThan(600)
  const commandless = (all = initContainers) => all?.map((one) => ({ ...one, command: [] }))
  expect(commandless()).toEqual(commandless(theirs))
  expect(initContainers?.map(({ command }) => command?.at(-1)?.includes('echo all'))).toEqual([false, true])
})
