import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeRows, type ProbeRow } from '@beadloom/core/isolation/probe-rows.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* An agent tries to break out of its container, and commits its findings as files. */
const script = readFileSync(join(import.meta.dirname, '..', '..', 'docker', 'sandbox-probe.sh'), 'utf8')
const probe = `
sh sandbox-probe.sh > rows.tsv 2> rows.err
exec 2>/dev/null
{
  echo "uid=$(id -u)"
  echo "caps=$(grep CapEff /proc/self/status | awk '{print $2}')"
  echo "nnp=$(grep NoNewPrivs /proc/self/status | awk '{print $2}')"
  echo "seccomp=$(grep Seccomp: /proc/self/status | awk '{print $2}')"
  echo "socket=$(ls /var/run/docker.sock /run/docker.sock | wc -l)"
  echo "interfaces=$(ls /sys/class/net | tr '\\n' ' ')"
  echo "internet=$(curl -s -m 3 -o /dev/null -w '%{http_code}' https://registry.npmjs.org/)"
  echo "gateway-only=$(curl -s -m 3 -o /dev/null -w '%{http_code}' http://127.0.0.1:4610/api/projects)"
  echo "metadata=$(curl -s -m 3 -o /dev/null -w '%{http_code}' http://169.254.169.254/)"
  echo "canary=$(env | grep -c canary) $(cat /proc/*/environ | tr '\\0' '\\n' | grep -c canary)"
  touch /usr/bin/evil && echo "system=writable" || echo "system=read-only"
  touch /opt/beadloom/evil && echo "runtime=writable" || echo "runtime=read-only"
  mount -t tmpfs none /mnt && echo "mount=yes" || echo "mount=no"
} > findings.txt
git add -A; git commit -q -m "Bead is-1: Look around"; git push -q
git push -q origin HEAD:refs/heads/main && echo pushed-main || echo refused-main
git push -q --force origin HEAD~1:refs/heads/beads-is-1-look-around && echo rewrote || echo refused-rewrite
git push -q origin :refs/heads/beads-is-1-look-around && echo deleted || echo refused-delete
git push -q origin HEAD:refs/beadloom/ex-0000000000/left && echo pushed-foreign || echo refused-foreign
git push -q origin HEAD:refs/tags/v1 && echo pushed-tag || echo refused-tag
`
let world: World
let findings: Map<string, string>
let rows: ProbeRow[]
let log: string
let remote: string
beforeAll(async () => {
  world = await World.start({ env: { OPENAI_API_KEY: 'canary-key', BEADLOOM_CANARY: 'canary' } })
  const files = { ...shellProject({ agent: probe }), 'sandbox-probe.sh': script }
  remote = (await world.addProject('isolation', files, [{ id: 'is-1', title: 'Look around' }])).remote
  const ended = await world.run('isolation', 'is-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  findings = new Map(
    git(remote, 'show', 'beadloom/work:findings.txt')
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  expect(git(remote, 'show', 'beadloom/work:rows.err')).toBe('')
  const report = probeRows(git(remote, 'show', 'beadloom/work:rows.tsv'))
  expect(report.left).toBe(0)
  rows = report.rows
  log = await world.log(ended.sessions.find(({ kind }) => kind === 'work')?.id ?? '')
})
afterAll(() => world.stop())

test('a sandbox runs as an ordinary user without capabilities, new privileges or an open kernel', () => {
  expect(Object.fromEntries(findings)).toMatchObject({
    uid: '1000',
    caps: '0000000000000000',
    nnp: '1',
    seccomp: '2',
    mount: 'no',
  })
})

test('the published script agrees: an agent can do what every program can, and use its link', () => {
  expect(rows.filter(({ can }) => can === null)).toEqual([])
  expect(rows.filter(({ can }) => can === true).map(({ what, detail }) => [what, detail])).toEqual([
    ['programs that listen on its loopback', expect.stringMatching(/^4610\b/)],
    ['sockets in its files', '/run/beadloom/link.sock'],
    ['the users of the host', expect.any(String)],
    // Every session has the same placeholder: the gateway adds the key.
    ['credentials in its environment', 'OPENAI_API_KEY ANTHROPIC_API_KEY'],
    ['folders of the host', '/run/beadloom ro'],
    ['trace a program of its own', ''],
  ])
  const detail = (what: string) => rows.find((row) => row.what === what)?.detail
  expect(detail('network interfaces')).toBe('lo')
  expect(detail('processes without a limit')).toBe('512')
})

test('a sandbox reaches neither the network, nor Docker, nor the dashboard', () => {
  expect(Object.fromEntries(findings)).toMatchObject({
    socket: '0',
    interfaces: 'lo ',
    internet: '000',
    metadata: '000',
    'gateway-only': '404',
  })
})

test('a sandbox finds no secret of the server', () => {
  expect(findings.get('canary')).toBe('0 0')
})

test('a sandbox cannot change the system or the runtime that judges it', () => {
  expect(Object.fromEntries(findings)).toMatchObject({ system: 'read-only', runtime: 'read-only' })
})

test('a sandbox can push its own branch forward and nothing else', () => {
  for (const word of ['refused-main', 'refused-rewrite', 'refused-delete', 'refused-foreign', 'refused-tag'])
    expect(log).toContain(word)
  expect(git(remote, 'log', '-1', '--format=%s', 'main')).toBe('Start')
})
