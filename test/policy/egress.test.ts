import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import type { ProjectSettingsView } from '@beadloom/core/api/settings/settings-api.ts'
import { CommandLine } from '../support/command-line.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A project that allows some hosts: its sandboxes have no network, and reach these hosts through the server's proxy. */

let world: World
let outside: Server
let port: number
/** Requests to the host outside. */
const asked: string[] = []
beforeAll(async () => {
  outside = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    response.end(`outside has ${request.url}\n`)
  })
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  port = (outside.address() as AddressInfo).port
  const addresses: Record<string, string> = { 'inside.example.org': '10.0.0.7' }
  const resolve = async (name: string) => [addresses[name] ?? '127.0.0.1']
  const isPublic = (address: string) => address === '127.0.0.1'
  world = await World.start({ engine: 'process', egress: { resolve, isPublic } })
})
afterAll(async () => {
  await world.stop()
  outside.close()
})

const curl = 'curl -s -m 20 -o /dev/null -w "%{http_code}"'
const agent = (id: string): string => `cat > prompt.txt
{
  echo "plain=$(${curl} http://files.example.org:${port}/plain)"
  echo "tunnel=$(curl -s -m 20 --proxytunnel http://files.example.org:${port}/tunnel)"
  echo "refused=$(${curl} http://other.example.com/x)"
  echo "refused-tunnel=$(curl -s -m 20 -o /dev/null -w "%{http_connect}" https://other.example.com/x)"
  echo "private=$(${curl} http://inside.example.org:${port}/x)"
  echo "direct=$(${curl} --noproxy '*' http://127.0.0.1:${port}/x)"
  echo "direct-name=$(${curl} --noproxy '*' http://files.example.org:${port}/x)"
  echo "interfaces=$(ls /sys/class/net 2>/dev/null | tr '\\n' ' ')"
  echo "hub=$(git ls-remote -q origin HEAD | wc -l)"
} > findings.txt
${commitAndPush(id, 'Look outside')}`

describe('a project that allows some hosts', () => {
  let findings: Map<string, string>
  let execution: string
  beforeAll(async () => {
    const allow = [`files.example.org:${port}`, `inside.example.org:${port}`]
    const setup = `curl -s -m 20 -f http://files.example.org:${port}/setup > /dev/null && ! curl -s -m 20 -f http://more.example.net/`
    const config = { network: { allow }, setup, test: `curl -s -m 20 -f http://files.example.org:${port}/check` }
    const files = shellProject({ agent: agent('e-1'), config, testsFirst: false })
    const { remote } = await world.addProject('allowing', files, [{ id: 'e-1', title: 'Look outside' }])
    const ended = await world.run('allowing', 'e-1')
    expect(ended.state, ended.detail).toBe('COMPLETED')
    execution = ended.id
    const text = git(remote, 'show', 'beadloom/work:findings.txt')
    findings = new Map(text.split('\n').map((line) => [line.split('=')[0]!, line.slice(line.indexOf('=') + 1)]))
  })

  test('reaches them from agents, checks and setup, and nothing else', () => {
    const found = Object.fromEntries(findings)
    expect(found).toMatchObject({ plain: '200', tunnel: 'outside has /tunnel', hub: '1' })
    expect(found).toMatchObject({ refused: '403', 'refused-tunnel': '403', private: '403', direct: '000', 'direct-name': '000' }) // prettier-ignore
    for (const path of ['/setup', '/plain', '/tunnel', '/check'])
      expect(asked).toContain(`files.example.org:${port} ${path}`)
  })

  test('has a ledger of the requests on its execution, in the API and at the terminal', async () => {
    const view = await world.get<EgressView>(`/api/executions/${execution}/egress`)
    expect(view.reached).toBe('git, model, 1 of 3 hosts')
    const found = view.items.map(({ host, port: at, outcome, count }) => [host, at, outcome, count])
    expect(found).toContainEqual(['files.example.org', port, 'reached', 3])
    expect(found).toContainEqual(['other.example.com', 443, 'refused', 1])
    expect(found).toContainEqual(['other.example.com', 80, 'refused', 1])
    expect(found).toContainEqual(['inside.example.org', port, 'private', 1])
    const line = new CommandLine(['beads', 'show', 'e-1', '--project', 'allowing', '--data', world.data])
    expect((await line.ended).stdout).toContain('reached: git, model, 1 of 3 hosts')
  })

  test('is told which list would have allowed a refused request', async () => {
    const { proposed, allow } = await world.get<EgressView>('/api/projects/allowing/egress')
    expect(proposed).toEqual([...allow, 'more.example.net', 'other.example.com'])
    const { fields } = await world.get<ProjectSettingsView>('/api/projects/allowing/settings')
    const field = fields.find(({ key }) => key === 'network.allow')
    expect(field).toMatchObject({ value: allow, source: 'file', editable: false })
    expect(field?.note).toContain('more.example.net, other.example.com')
  })

  test('has told its agent', async () => {
    const remote = (await world.get<{ source: string }>('/api/projects/allowing')).source
    expect(git(remote, 'show', 'beadloom/work:prompt.txt')).toContain(`only these hosts can be reached (ports 443 and 80 unless one is named): files.example.org:${port}`) // prettier-ignore
  })
})

longTest('hosts that setup was refused are named if the base cannot be proved', async () => {
  const config = { network: { allow: ['files.example.org'] }, setup: 'curl -s -f http://more.example.net/' }
  await world.addProject('refused', shellProject({ agent: 'true', config, testsFirst: false }), [
    { id: 'r-1', title: 'Wait' },
  ])
  await world.queue('refused', 'r-1')
  const proof = async () => (await world.get<EnvironmentView>('/api/projects/refused/environment')).proof
  await world.until(async () => (await proof())?.state === 'broken')
  expect(await proof()).toMatchObject({ by: 'setup', text: expect.stringContaining('not allowed: more.example.net') })
})

longTest('an agent that changes the list gets no wider network by it', async () => {
  const own = `sed -i 's/files.example.org/other.example.com/' beadloom.json
git commit -q -am 'Wider'; git push -q
echo "other=$(${curl} http://other.example.com:${port}/wider)" > findings.txt
${commitAndPush('w-1', 'Widen')}`
  const config = { network: { allow: [`files.example.org:${port}`] } }
  const files = shellProject({ agent: own, config })
  const beads = [
    { id: 'w-1', title: 'Widen' },
    { id: 'w-2', title: 'Again' },
  ]
  const { remote } = await world.addProject('widening', files, beads)
  expect((await world.run('widening', 'w-1')).state).toBe('COMPLETED')
  expect(git(remote, 'show', 'beadloom/work:findings.txt')).toBe('other=403')
  await world.run('widening', 'w-2')
  expect(git(remote, 'show', 'beadloom/work:findings.txt')).toBe('other=403')
  expect(asked.filter((one) => one.includes('/wider'))).toEqual([])
})

longTest('a project that allows nothing has no proxy', async () => {
  const own = `echo "proxy=$HTTP_PROXY$https_proxy$JAVA_TOOL_OPTIONS" > findings.txt
curl -s -m 20 -x http://127.0.0.1:4611 http://files.example.org:${port}/none || echo "code=$?" >> findings.txt
${commitAndPush('n-1', 'None')}`
  const { remote } = await world.addProject('nothing', shellProject({ agent: own }), [{ id: 'n-1', title: 'None' }])
  const ended = await world.run('nothing', 'n-1')
  // Cut off before curl has connected (7), asked (56) or got an answer (52).
  expect(git(remote, 'show', 'beadloom/work:findings.txt')).toMatch(/^proxy=\ncode=(7|52|56)$/)
  expect(await world.get<EgressView>(`/api/executions/${ended.id}/egress`)).toMatchObject({ items: [], reached: 'git, model', proposed: [] }) // prettier-ignore
  expect(ended.reached).toBe(undefined)
})

longTest('a list with impossible entries is refused, naming all of them at once', async () => {
  const config = { network: { allow: ['*', '10.0.0.1', 'example.org/x', 'example.org:0', 'fine.example.org'] } }
  const answer = await world.addProject('wrong', shellProject({ agent: 'true', config }), []).catch(String)
  const view = typeof answer === 'string' ? answer : JSON.stringify(answer.view.problem)
  for (const text of [
    'network.allow.0',
    'everything',
    'network.allow.1',
    'address',
    'network.allow.2',
    'path',
    'network.allow.3',
    'port',
  ])
    expect(view).toContain(text)
})
