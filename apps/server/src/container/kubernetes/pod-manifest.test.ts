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

const containersOf = (more: Partial<PodOptions> = {}) => {
  const made = specOf(more)
  return [...(made?.initContainers ?? []), ...(made?.containers ?? [])]
}
const filesOf = (more: Partial<PodOptions> = {}) => specOf(more)?.volumes?.find(({ name }) => name === 'files')
const disk = (of: 'limits' | 'requests', more: Partial<PodOptions> = {}) =>
  containersOf(more).map(({ resources }) => resources?.[of]?.['ephemeral-storage'])
const writableIn = (more: Partial<PodOptions> = {}) =>
  containersOf(more)
    .find(({ name }) => name === 'sandbox')
    ?.volumeMounts?.map(({ mountPath }) => mountPath)

test('a pod may write a limited amount to the disk of its node, whatever the namespace says: to its folders, and beside them', () => {
  expect(filesOf()).toMatchObject({ emptyDir: { sizeLimit: '32Gi' } })
  expect(disk('limits')).toEqual(['32Gi', '32Gi', '64Mi'])
  expect(filesOf({ diskGib: 5 })).toMatchObject({ emptyDir: { sizeLimit: '5Gi' } })
  expect(disk('limits', { diskGib: 5 })).toEqual(['5Gi', '5Gi', '64Mi'])
})

test('it requests a part of that, and none in a queue, whose quota may not have any', () => {
  expect(disk('requests')).toEqual(['1Gi', '1Gi', '0'])
  expect(disk('requests', { queue: 'beads' })).toEqual(['0', '0', '0'])
})

test('nothing in it is writable but its mounts, including those that the settings name', () => {
  const isReadOnly = ({ securityContext }: (typeof all)[number]) => securityContext?.readOnlyRootFilesystem === true
  const all = containersOf({ writable: ['/go', '/usr/local/cargo'] })
  expect(all.map(({ name }) => name)).toEqual(['prepare', 'sandbox', 'keeper'])
  expect(all.filter((one) => !isReadOnly(one))).toEqual([])
  const always = ['/workspace', '/home/agent', '/var/lib/beadloom', '/var/tmp', '/tmp']
  expect(writableIn()?.toSorted()).toEqual(always.toSorted())
  expect(writableIn({ writable: ['/go'] })?.toSorted()).toEqual([...always, '/go'].toSorted())
  expect(containersOf({ writable: ['/go'] })[0]?.command?.slice(-1)).toEqual(['/go']) // the preparation copies it
})

test('no container of it has the file of its node into which all may write their last words', () => {
  const paths = containersOf().map(({ terminationMessagePath }) => terminationMessagePath)
  expect(new Set(paths)).toEqual(new Set(['/opt/beadloom/closed/said'])) // only root can look there
})

test('restricted pod security admits it', () => {
  expect(specOf()).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  })
  for (const { securityContext } of containersOf())
    expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
  expect(specOf()?.volumes?.filter(({ emptyDir }) => emptyDir === undefined)).toEqual([])
  for (const key of ['hostNetwork', 'hostPID', 'hostIPC']) expect(specOf()).not.toHaveProperty(key)
})

test('it has users of its own if the cluster supports them, and checks that', () => {
  const looks = (more: Partial<PodOptions> = {}) => containersOf(more)[0]?.command?.includes('own-users')
  expect(specOf()).not.toHaveProperty('hostUsers')
  expect(looks()).toBe(false)
  expect(specOf({ userNamespaces: true })).toMatchObject({ hostUsers: false })
  expect(looks({ userNamespaces: true })).toBe(true)
})

test("its labels fit a cluster's limit of 63 characters, whatever the id of its project", () => {
  const project = 'p'.repeat(64)
  const limits = { cpus: 2, memoryBytes: 2 ** 30, clamped: [] }
  const { metadata } = podOf({ ...spec, labels: { ...spec.labels, project } }, limits, options)
  expect(Object.values(metadata?.labels ?? {}).filter((text) => text.length > 63)).toEqual([])
  expect(metadata?.annotations).toMatchObject({ 'beadloom.dev/project': project })
})
