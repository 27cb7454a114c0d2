import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeRows, type ProbeReport, type ProbeRow } from '@beadloom/core/isolation/probe-rows.ts'
import { label } from '@beadloom/server/src/container/kubernetes/kubernetes-options.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toTheEnd } from '../contract/engine-under-test.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { beadloom } from '../support/command-line.ts'
import { killOnNode, missingCluster, withoutNetwork } from './cluster.ts'
import { client } from './cluster-stage.ts'

/* `beadloom doctor --probe` with a cluster as the usual engine. */

const script = readFileSync(join(import.meta.dirname, '..', '..', 'docker', 'sandbox-probe.sh'), 'utf8')
/** The same script, run by an agent's program, beside the link. */
const SESSION = `import { execFileSync } from 'node:child_process'
  console.log(execFileSync('sh', { input: ${JSON.stringify(script)}, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }))`
const which = (rows: readonly ProbeRow[], answer: boolean | null) =>
  rows.filter(({ can }) => can === answer).map(({ what }) => what)

describe.skipIf(missingCluster !== null)('beadloom doctor --probe', () => {
  let folder: string
  let session: ProbeReport
  let rows: ProbeRow[]
  beforeAll(async () => {
    const engine = await openKubernetes(withoutNetwork, killOnNode)
    const { stdout } = await toTheEnd(await engine.open(), SESSION) // now a node has an image
    await engine.close()
    session = probeRows(stdout.toString())
    folder = mkdtempSync(join(tmpdir(), 'bl-probe-'))
    const data = join(folder, 'data')
    mkdirSync(data)
    const engines = { cluster: { kubernetes: withoutNetwork } }
    writeFileSync(join(data, 'config.json'), JSON.stringify({ engines, engine: 'cluster' }))
    const said = await beadloom(['doctor', '--probe', '--json', '--data', data], { cwd: folder })
    expect(said, said.stderr).toMatchObject({ code: 0 })
    const report = JSON.parse(said.stdout) as ProbeReport
    expect(report.left).toBe(0)
    rows = report.rows
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('lets a pod of the cluster look at itself: it can do nothing but what every program can', () => {
    // A node's image from an earlier Beadloom lacks the folder for the file of last words.
    expect(which(rows, true).filter((what) => what !== 'folders of the host')).toEqual([
      'the users of the host',
      'trace a program of its own',
    ])
    expect(which(rows, null)).toEqual(['processes without a limit'])
    const detail = (what: string) => rows.find((row) => row.what === what)?.detail
    expect(detail('folders of the host')).toMatch(/^(none|\/opt\/beadloom\/closed\/said rw)$/)
    expect(detail('user')).toBe('1000:1000')
    expect(detail('places it can write')).toBe('/var/tmp /home/agent /tmp /dev/shm /workspace')
    expect(detail('look into process 1')).toBe('this script is process 1')
  })

  test('lets a session in a pod find the same, and its link', () => {
    expect(session.left).toBe(0)
    expect(which(session.rows, true)).toEqual([
      'programs that listen on its loopback',
      'the users of the host',
      "other programs' environments", // the link's carrier has the same environment
      'trace a program of its own',
    ])
    expect(which(session.rows, null)).toEqual(['processes without a limit'])
    expect(session.rows.find(({ what }) => what === 'look into process 1')?.can).toBe(false)
  })

  test('leaves nothing behind', async () => {
    const labelSelector = `${label.instance}=doctor`
    const { items } = await client.call('list pods', ({ core }) =>
      core.listNamespacedPod({ namespace: client.namespace, labelSelector }),
    )
    expect(items).toEqual([])
  })
})
