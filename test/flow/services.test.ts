// @suite flow-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { buildImage, inspected, ownBase, removeImage } from '../support/service-images.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Services in containers, in the network of their sandbox. PostgreSQL and Redis are in test/services/databases.test.ts;
 * this covers every service.
 */

const IMAGE = 'beadloom-tests/greeter:flow'
const PORT = 7007
const greeter = `require('net').createServer((to) => to.end('hello from ' + process.env.WHO + ', interfaces ' + Object.keys(require('os').networkInterfaces()))).listen(${PORT}, () => console.log('greeter listens'))`
const ask = `node -e "require('net').connect(${PORT}, 'greeter').on('error', (e) => { console.error(String(e)); process.exit(1) }).on('data', (d) => console.log(String(d)))"`

let world: World
beforeAll(async () => {
  world = await World.start({ config: { images: [IMAGE] } })
  buildImage(IMAGE, `FROM ${ownBase()}\nHEALTHCHECK CMD ${ask.replace("'greeter'", "'127.0.0.1'")}\n`)
}, 120_000)
afterAll(async () => {
  await world.stop()
  removeImage(IMAGE)
})

const looking = `
${ask} > answer.txt
curl -s -m 3 -o /dev/null http://192.0.2.1/ || echo "no way out" >> answer.txt
ls /sys/class/net >> answer.txt
echo ready; while ! test -f go; do sleep 0.1; done; rm go
`

test('a service answers by its name, in a network without a way out, and is confined', async () => {
  const services = { greeter: { image: IMAGE, command: ['node', '-e', greeter], env: { WHO: 'greeter' } } }
  const config = { services, verify: [{ type: 'test', command: ask }] }
  const files = shellProject({ agent: looking, config, testsFirst: false })
  const { remote } = await world.addProject('greeted', files, [{ id: 'g-1', title: 'Ask' }])
  const { id } = await world.queue('greeted', 'g-1')
  await world.printed(id, 'ready')

  const [service] = await world.containers.of(id, 'service')
  const [agent] = await world.containers.of(id, 'work')
  const { HostConfig, Mounts } = inspected(service!)
  expect(HostConfig).toMatchObject({
    NetworkMode: `container:${agent}`,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
    Memory: 1024 ** 3,
    PidsLimit: 256,
    RestartPolicy: { Name: 'no' },
  })
  expect(HostConfig['PortBindings'] ?? {}).toEqual({})
  expect(Mounts).toEqual([])
  await world.containers.write(agent!, '/workspace/go')

  const ended = await world.ended(id)
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
  const answer = git(remote, 'show', 'beadloom/work:answer.txt')
  expect(answer.split('\n')).toEqual(['hello from greeter, interfaces lo', 'no way out', 'lo'])
  const logs = ended.sessions.filter(({ kind }) => kind === 'service')
  expect(logs.map(({ service: name, outcome }) => [name, outcome])).toEqual([
    ['greeter', 'success'],
    ['greeter', 'success'],
  ])
  for (const one of logs) expect(await world.log(one.id)).toContain('greeter listens')
  expect(await world.containers.of(id)).toEqual([])
})
