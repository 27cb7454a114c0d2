import { expect, test } from 'vitest'
import { podOf, type PodOptions } from './pod-manifest.ts'

const spec = {
  name: 'beadloom-ex-1',
  network: 'none' as const,
  cpus: 2,
  memoryBytes: 2 ** 30,
  processes: 512,
  image: 'sha256:1',
  labels: { execution: 'ex-1', kind: 'work' },
  linkFolder: null,
  magic: '0'.repeat(32),
}
const options = {
  instance: 'here',
  architecture: 'amd64',
  caBundle: null,
  reference: 'registry.example.org/a@sha256:1',
  images: { registry: 'registry.example.org' },
  namespace: 'sandboxes',
}
const specOf = (more: Partial<PodOptions> = {}) =>
  podOf(spec, { cpus: 2, memoryBytes: 2 ** 30, clamped: [] }, { ...options, ...more }).spec

const filesOf = (more: Partial<PodOptions> = {}) => specOf(more)?.volumes?.find(({ name }) => name === 'files')
const limitsOf = (more: Partial<PodOptions> = {}) =>
  specOf(more)?.initContainers?.map(({ resources }) => resources?.limits?.['ephemeral-storage'])

test('a pod may write so much to the disk of its node, whatever the namespace says', () => {
  expect(filesOf()).toMatchObject({ emptyDir: { sizeLimit: '32Gi' } })
  expect(filesOf({ diskGib: 5 })).toMatchObject({ emptyDir: { sizeLimit: '5Gi' } })
})

test('the disk beside its folders is limited by the settings, and without them by the namespace', () => {
  expect(limitsOf()).toEqual([undefined, undefined])
  expect(limitsOf({ diskGib: 5 })).toEqual(['5Gi', '5Gi'])
})

test('it has users of its own where the cluster is said to have them', () => {
  expect(specOf()).not.toHaveProperty('hostUsers')
  expect(specOf({ userNamespaces: true })).toMatchObject({ hostUsers: false })
})

test("its labels fit a cluster's limit of 63 characters, whatever the id of its project", () => {
  const project = 'p'.repeat(64)
  const limits = { cpus: 2, memoryBytes: 2 ** 30, clamped: [] }
  const { metadata } = podOf({ ...spec, labels: { ...spec.labels, project } }, limits, options)
  expect(Object.values(metadata?.labels ?? {}).filter((text) => text.length > 63)).toEqual([])
  expect(metadata?.annotations).toMatchObject({ 'beadloom.dev/project': project })
})
