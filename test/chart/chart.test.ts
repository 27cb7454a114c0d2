import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import {
  neededRights,
  policyRights,
  queueRights,
  usefulRights,
  type Right,
} from '@beadloom/server/src/container/kubernetes/cluster/needed-rights.ts'
import { readSettings } from '@beadloom/server/src/process/settings/settings.ts'

/* The real helm that `scripts/helm.mjs` builds lints and renders the chart; the tests read the result. */

/** As in `scripts/helm.mjs`, which plain Node of any version runs. */
const HELM_VERSION = '4.3.1'
const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const helm = join(cache, 'beadloom', `helm-${HELM_VERSION}`, 'helm')
const chart = join(import.meta.dirname, '..', '..', 'charts', 'beadloom')
const folder = mkdtempSync(join(tmpdir(), 'chart-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hasHelm = existsSync(helm)
if (!hasHelm) {
  const why = `no helm ${HELM_VERSION} in ${cache}/beadloom; npm test -- chart builds it where Go is installed`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1: ${why}`)
  console.warn(`skipped: ${why}`)
}

type Manifest = {
  kind: string
  metadata: { name: string; namespace?: string; labels: Record<string, string> }
  spec: Record<string, unknown>
  data: Record<string, string>
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[]
}

function withValues(values: object): string[] {
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  return ['--values', file]
}

function rendered(values: object = {}): Manifest[] {
  const text = execFileSync(helm, ['template', 'try', chart, '--namespace', 'beads', ...withValues(values)], {
    encoding: 'utf8',
  })
  return parseAllDocuments(text).flatMap((one) => (one.toJS() as Manifest | null) ?? [])
}

const refusal = (values: object): string => {
  const { status, stderr } = spawnSync(helm, ['template', 'try', chart, ...withValues(values)], { encoding: 'utf8' })
  expect(status).not.toBe(0)
  return stderr
}

/** The notes that helm prints after an installation; no cluster is asked. */
function notes(values: object): string {
  const said = execFileSync(
    helm,
    ['install', 'try', chart, '--dry-run=client', '--namespace', 'beads', ...withValues(values)],
    { encoding: 'utf8', env: { ...process.env, KUBECONFIG: join(folder, 'none') } },
  )
  return said.split('NOTES:')[1] ?? ''
}

const of = (all: Manifest[], kind: string) => all.filter((one) => one.kind === kind)
const config = (all: Manifest[]): string => of(all, 'ConfigMap')[0]?.data['config.json'] ?? ''
const settings = (text: string) =>
  readSettings({ flags: { data: '/data/beadloom' }, env: {}, configFile: text, cwd: '/', defaults: { scenarios: '/' } })

const people = {
  address: 'https://beads.example.org',
  proxies: ['10.0.0.5'],
  oidc: { issuer: 'https://id.example.org', clientId: 'beadloom' },
  roles: { admin: { groups: ['platform'] } },
}
const networkPolicy = { fromNamespaces: ['ingress-nginx', 'monitoring'] }
const everything = {
  config: { people, slots: 8 },
  docker: { host: 'ssh://builder@build.example.org' },
  secrets: { environment: 'keys', oidc: 'oidc', token: 'token', files: 'ssh', dockerConfig: 'registry' },
  sandboxes: { registry: 'registry.example/beadloom', pullSecret: 'registry', probe: '10.96.0.1:443' },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  networkPolicy,
  metrics: { serviceMonitor: true, grafanaDashboard: true, labels: { release: 'prometheus' } },
}

describe.skipIf(!hasHelm)('the chart', () => {
  test.each([
    ['as it is', {}],
    ['with everything', everything],
  ])('passes the linter %s', (_, values) => {
    const linted = spawnSync(helm, ['lint', '--strict', chart, ...withValues(values)], { encoding: 'utf8' })
    expect([linted.status, linted.stdout.match(/\[(ERROR|WARNING)\].*/g)]).toEqual([0, null])
  })

  test('runs one server and never two: Recreate, a volume that outlives it, probes, and nothing writable besides', () => {
    const [deployment] = of(rendered(), 'Deployment')
    expect(deployment?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    const template = deployment?.spec['template'] as { spec: Record<string, unknown> } | undefined
    const spec = template?.spec ?? {}
    expect(spec['securityContext']).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const containers = [...(spec['containers'] as object[]), ...(spec['initContainers'] as object[])]
    expect(containers).toHaveLength(2)
    for (const one of containers)
      expect(one).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      })
    expect(containers[0]).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz', httpHeaders: [{ name: 'Host', value: '127.0.0.1:4600' }] } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      startupProbe: { httpGet: { path: '/healthz' } },
    })
    const [claim] = of(rendered(), 'PersistentVolumeClaim')
    expect(claim?.metadata).toMatchObject({ annotations: { 'helm.sh/resource-policy': 'keep' } })
    expect(of(rendered({ persistence: { existingClaim: 'mine' } }), 'PersistentVolumeClaim')).toEqual([])
  })

  test('names its image by a digest, which overrides the tag', () => {
    const images = (image: object) => {
      const template = of(rendered({ image }), 'Deployment')[0]?.spec['template']
      const { spec } = template as { spec: Record<'containers' | 'initContainers', { image: string }[]> }
      return [...spec.containers, ...spec.initContainers].map((one) => one.image)
    }
    const digest = `sha256:${'0a'.repeat(32)}`
    expect(images({ tag: '1.2.3' })).toEqual(['beadloom:1.2.3', 'beadloom:1.2.3'])
    expect(images({ tag: '1.2.3', digest })).toEqual([`beadloom@${digest}`, `beadloom@${digest}`])
    expect(refusal({ image: { digest: 'latest' } })).toMatch(/digest/)
  })

  test('may do in the sandboxes’ namespace what the engine needs, and nothing else anywhere', () => {
    const all = rendered()
    const [role] = of(all, 'Role')
    expect(role?.metadata.namespace).toBe('beadloom-sandboxes')
    const rules = (rights: readonly Right[], everywhere: boolean) =>
      rights
        .filter((one) => (one.everywhere ?? false) === everywhere)
        .map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs: [...verbs] }))
    const asked = [...neededRights, ...policyRights, ...usefulRights]
    expect(role?.rules).toEqual(rules(asked, false))
    expect(of(all, 'ClusterRole').map((one) => one.rules)).toEqual([rules(asked, true)])
    const queued = of(rendered({ sandboxes: { more: { queue: 'beads' } } }), 'Role')[0]?.rules
    expect(queued).toEqual(rules([...asked, ...queueRights], false))
    const less = rendered({ sandboxes: { readNodes: false, runtimeClass: 'nonet' } })
    expect(of(less, 'ClusterRole')).toEqual([])
    expect(of(less, 'Role')[0]?.rules.some(({ resources }) => resources.includes('networkpolicies'))).toBe(false)
    expect(JSON.stringify(all)).not.toContain('"secrets"]')
  })

  test('closes the network of sandboxes, and asks for restricted pods there', () => {
    const all = rendered()
    expect(of(all, 'Namespace')[0]?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
    expect(of(all, 'NetworkPolicy')[0]).toMatchObject({
      metadata: { namespace: 'beadloom-sandboxes' },
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    })
    expect(of(rendered({ sandboxes: { create: false } }), 'Namespace')).toEqual([])
  })

  const policy = (values?: object) => of(rendered(values), 'NetworkPolicy')[1]?.spec
  const tcp = (...ports: number[]) => ports.map((port) => ({ port, protocol: 'TCP' }))
  const open = [{ port: 53, protocol: 'UDP' }, ...tcp(53, 22, 443, 6443)]

  test('lets nobody in by default, and the server out to a few ports only', () => {
    expect(policy()).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'beadloom', 'app.kubernetes.io/instance': 'try' } },
      policyTypes: ['Ingress', 'Egress'],
      egress: [{ ports: open }],
    })
    expect(policy({ docker: { host: 'tcp://build.example.org:2376' } })).toMatchObject({
      egress: [{ ports: [...open, ...tcp(2376)] }],
    })
    expect(policy({ networkPolicy: { toPorts: [3000] } })).toMatchObject({
      egress: [{ ports: [{ port: 53, protocol: 'UDP' }, ...tcp(53, 3000)] }],
    })
    expect(policy({ networkPolicy: { enabled: false } })).toBeUndefined()
  })

  test('lets in those who are named, and nobody else', () => {
    const from = ['ingress-nginx', 'monitoring'].map((name) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    }))
    expect(policy(everything)).toMatchObject({ ingress: [{ from, ports: [{ port: 'http' }] }] })
  })

  test('trusts a single proxy address in its examples, no range', () => {
    for (const file of [join(chart, 'values.yaml'), join(chart, '..', '..', 'docs', 'in-a-cluster.md')]) {
      const [proxies = ''] = /proxies: \[.*?\]/.exec(readFileSync(file, 'utf8')) ?? []
      expect([file, proxies]).toEqual([file, expect.stringMatching(/^proxies: \["[\d.]+"\]$/)])
    }
  })

  test('prints after its installation how to reach it, and what keeps beads from running', () => {
    const all = notes(everything)
    expect(all).toContain('kubectl -n beads exec deploy/try-beadloom -- beadloom status')
    expect(all).toContain('People sign in at https://beads.example.org')
    expect(all).not.toMatch(/docker\.host|sandboxes\./)
    const { host } = everything.docker
    expect(notes({ docker: { host } })).toContain('sandboxes.registry is empty: no sandbox is a pod')
    expect(notes({})).toContain('docker.host is empty')
    const unproved = { docker: { host }, sandboxes: { registry: 'registry.example/beadloom' } }
    expect(notes(unproved)).toContain('Neither sandboxes.runtimeClass nor sandboxes.probe is set')
    expect(notes({ ...unproved, config: { engines: { box: { docker: 'ssh://me@box' } } } })).not.toContain('sandboxes.')
  })

  test('writes a config.json that the server takes, with the cluster as its engine', () => {
    const { people: signIn, engines, engine } = settings(config(rendered(everything)))
    expect(signIn?.address).toBe('https://beads.example.org')
    expect([engine, engines.get('cluster')]).toMatchObject([
      'cluster',
      { kubernetes: { namespace: 'beadloom-sandboxes', images: { registry: 'registry.example/beadloom' } } },
    ])
    expect(settings(config(rendered())).engine).toBeNull()
    const own = { config: { engines: { mine: { docker: 'ssh://a@b' } }, engine: 'mine' } }
    expect(settings(config(rendered({ ...own, sandboxes: { registry: 'r.example/b' } }))).engine).toBe('mine')
  })

  test("passes on a secret's files and variables, and puts none into a manifest of its own", () => {
    const all = rendered(everything)
    expect(of(all, 'Secret')).toEqual([])
    const text = JSON.stringify(of(all, 'Deployment'))
    expect(text).toContain('"secretKeyRef":{"name":"oidc","key":"clientSecret"}')
    expect(text).toContain('"envFrom":[{"secretRef":{"name":"keys"}}]')
    expect(of(all, 'Ingress')[0]?.spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['beads.example.org'], secretName: 'tls' }],
      rules: [{ host: 'beads.example.org' }],
    })
    expect(of(all, 'ServiceMonitor')[0]?.spec).toMatchObject({
      endpoints: [{ path: '/metrics', authorization: { credentials: { name: 'token', key: 'token' } } }],
    })
    const dashboard = of(all, 'ConfigMap').find(({ metadata }) => metadata.name.endsWith('-dashboard'))
    expect(JSON.parse(dashboard?.data['beadloom.json'] ?? '')).toMatchObject({ title: 'Beadloom' })
  })

  test.each([
    ['a value that it does not know', { replicas: 2 }, /additional properties 'replicas' not allowed/i],
    ['a value of the wrong kind', { service: { port: 'http' } }, /port/],
    ['a namespace that is none', { sandboxes: { namespace: 'Not_one' } }, /namespace/],
    [
      'an ingress that nobody could sign in through',
      { ingress: { enabled: true }, networkPolicy },
      /config\.people\.address/,
    ],
    [
      'an ingress that the policy keeps out',
      { config: { people }, ingress: { enabled: true } },
      /networkPolicy\.fromNamespaces is empty/,
    ],
    ['metrics that nobody may read', { metrics: { serviceMonitor: true }, networkPolicy }, /secrets\.token/],
  ])('refuses %s and says so', (_, values, says) => {
    expect(refusal(values)).toMatch(says)
  })
})
