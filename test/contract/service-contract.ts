import { expect } from 'vitest'
import type { OutputFrame, Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import type { Service, ServiceSpec } from '@beadloom/server/src/ports/service.ts'
import type { Contract } from './engine-contract.ts'
import { collect, EXECUTION, never, toTheEnd } from './engine-under-test.ts'

const PORT = 7007
const SERVING = `require('net').createServer((to) => to.end(process.env.SAYS)).listen(${PORT}, () => console.log('{"n":1} listens'))`
const ASKS = `import net from 'node:net'; net.connect(${PORT}, '127.0.0.1').on('data', (bytes) => console.log(String(bytes)))`
const CHECK = `node -e "require('net').connect(${PORT}).on('error', () => process.exit(1)).on('data', () => process.exit(0))"`

async function* telling(frames: AsyncIterable<OutputFrame>, tell: () => void): AsyncGenerator<OutputFrame> {
  for await (const frame of frames) {
    tell()
    yield frame
  }
}

/** Services beside a sandbox, such as a database. */
export function serviceContract({ it, promise }: Contract): void {
  let services = 0
  async function opened(sandbox: Sandbox, program: string, changes: Partial<ServiceSpec> = {}): Promise<Service> {
    const { engine, adapter } = it.engine
    return engine.openService(sandbox, {
      name: `${adapter.prefix}-service-${++services}`,
      image: adapter.serviceImage,
      owner: EXECUTION,
      env: {},
      command: ['node', '-e', program],
      cpus: 1,
      memoryBytes: 256 * 1024 ** 2,
      processes: 64,
      ...changes,
    })
  }
  const ready = async (service: Service): Promise<void> => {
    while (!(await service.isReady(CHECK))) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  promise('is reached by the sessions of its sandbox, and by no other sandbox', async () => {
    const [sandbox, other] = [await it.engine.open(), await it.engine.open()]
    await sandbox.warm()
    const service = await opened(sandbox, SERVING, { env: { SAYS: 'hello' } })
    expect(await service.isReady('true')).toBe(false)
    await service.start()
    await ready(service)
    expect(await service.isReady('exit 3')).toBe(false)
    expect((await toTheEnd(sandbox, ASKS)).stdout.toString()).toBe('hello\n')
    expect((await toTheEnd(other, ASKS)).stderr.toString()).toContain('ECONNREFUSED')
    await service.close()
    expect((await toTheEnd(sandbox, ASKS)).stderr.toString()).toContain('ECONNREFUSED')
    await service.close()
  })

  promise('is listed with its owner, and known to the next server with all that it has printed', async () => {
    const sandbox = await it.engine.open()
    await sandbox.warm()
    const service = await opened(sandbox, SERVING)
    await service.start()
    await ready(service)
    const { engine, adapter } = it.engine
    const owned = (await engine.owned()).find(({ name }) => name === service.name)
    expect(owned).toMatchObject({ id: service.id, owner: EXECUTION, purpose: 'service', state: 'running' })
    expect((await adapter.foreign().owned()).some(({ name }) => name === service.name)).toBe(false)
    const next = adapter.again().service(service)
    const heard = Promise.withResolvers<void>()
    const printed = collect(telling(next.output(), heard.resolve))
    await heard.promise // unread output is gone when a service closes
    await next.close()
    expect(await printed).toEqual({ stdout: Buffer.alloc(0), stderr: Buffer.from('{"n":1} listens\n') })
  })

  promise('ends by itself with its exit code, and is ready no more', async () => {
    const sandbox = await it.engine.open()
    await sandbox.warm()
    const service = await opened(sandbox, `console.log('last words'); process.exit(3)`)
    await service.start()
    expect(await service.ended(never)).toMatchObject({ code: 3, lost: false })
    expect(await service.isReady('true')).toBe(false)
    expect((await collect(service.output())).stderr.toString()).toBe('last words\n')
    await service.close()
  })

  promise('has an image that is there, or cannot be had', async () => {
    const making = { onProgress: () => {}, signal: never }
    await expect(it.engine.engine.serviceImage('beadloom-tests/none:none', making)).rejects.toMatchObject({
      kind: 'image-missing',
    })
  })
}
