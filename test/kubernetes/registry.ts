import { createHash, randomUUID } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export type RegistryOptions = {
  /** Holds blobs and manifests by their digests, for the next registry too. */
  folder: string
  addresses: readonly string[]
  port: number
  /** `user:password` for push and pull; absent: everybody may. */
  account?: string
}

const DIGEST = /^sha256:[0-9a-f]{64}$/
const BLOBS = /^\/v2\/(.+)\/blobs\/(sha256:[0-9a-f]{64})$/
const UPLOADS = /^\/v2\/(.+)\/blobs\/uploads\/([0-9a-f-]*)$/
const MANIFESTS = /^\/v2\/(.+)\/manifests\/([\w.:-]+)$/

/** An image registry, with the part of the distribution API that Docker's push and containerd's pull need. */
export class Registry {
  readonly #options: RegistryOptions
  readonly #servers: Server[] = []
  /** Manifests by repository and tag. */
  readonly #tags = new Map<string, string>()
  /** The name of the repository, for each push of a manifest. */
  readonly pushed: string[] = []
  refused = 0
  /** Manifests wait for this promise. They come last in a push and give an image its name. */
  hold: Promise<void> | null = null
  held = 0

  private constructor(options: RegistryOptions) {
    this.#options = options
  }

  static async start(options: RegistryOptions): Promise<Registry> {
    mkdirSync(options.folder, { recursive: true })
    const registry = new Registry(options)
    for (const host of options.addresses) {
      const server = createServer((request, response) => {
        registry.#answer(request, response).catch((error: unknown) => {
          if (!response.headersSent) response.writeHead(500)
          response.end(String(error))
        })
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(options.port, host, resolve)
      })
      registry.#servers.push(server)
    }
    return registry
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { account } = this.#options
    const expected = account === undefined ? null : `Basic ${Buffer.from(account).toString('base64')}`
    if (expected !== null && request.headers.authorization !== expected) {
      if (request.headers.authorization !== undefined) this.refused += 1
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"', 'content-type': 'application/json' })
      response.end('{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}')
      return
    }
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '/', 'http://registry')
    const blob = BLOBS.exec(url.pathname)
    const upload = UPLOADS.exec(url.pathname)
    const manifest = MANIFESTS.exec(url.pathname)
    if (url.pathname === '/v2/' || url.pathname === '/v2') response.writeHead(200).end('{}')
    else if (blob) this.#send(response, method, blob[2] ?? '', 'application/octet-stream')
    else if (upload) await this.#upload(request, response, { url, name: upload[1] ?? '', id: upload[2] ?? '' })
    else if (manifest && method === 'PUT') await this.#put(request, response, manifest[1] ?? '', manifest[2] ?? '')
    else if (manifest) {
      const [, name = '', reference = ''] = manifest
      const digest = DIGEST.test(reference) ? reference : (this.#tags.get(`${name}:${reference}`) ?? '')
      this.#send(response, method, digest, 'application/vnd.docker.distribution.manifest.v2+json')
    } else response.writeHead(404).end('{"errors":[{"code":"NAME_UNKNOWN"}]}')
  }

  #file(digest: string): string {
    return join(this.#options.folder, digest.replace(':', '-'))
  }

  #send(response: ServerResponse, method: string, digest: string, type: string): void {
    const file = this.#file(digest)
    if (!DIGEST.test(digest) || !existsSync(file)) {
      response.writeHead(404).end('{"errors":[{"code":"BLOB_UNKNOWN"}]}')
      return
    }
    const head = { 'content-type': type, 'content-length': statSync(file).size, 'docker-content-digest': digest }
    response.writeHead(200, head)
    if (method === 'HEAD') response.end()
    else createReadStream(file).pipe(response)
  }

  async #upload(
    request: IncomingMessage,
    response: ServerResponse,
    { url, name, id }: { url: URL; name: string; id: string },
  ): Promise<void> {
    const upload = id || randomUUID()
    const part = join(this.#options.folder, `part-${upload}`)
    if (id === '') writeFileSync(part, '')
    else await pipeline(request, createWriteStream(part, { flags: 'a' }))
    const digest = url.searchParams.get('digest')
    if (request.method === 'PUT' && digest !== null && DIGEST.test(digest)) {
      renameSync(part, this.#file(digest))
      response.writeHead(201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest }).end()
      return
    }
    const { size } = statSync(part)
    const head = { location: `/v2/${name}/blobs/uploads/${upload}`, range: `0-${Math.max(0, size - 1)}` }
    response.writeHead(202, { ...head, 'docker-upload-uuid': upload }).end()
  }

  async #put(request: IncomingMessage, response: ServerResponse, name: string, reference: string): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    if (this.hold !== null) this.held += 1
    await this.hold
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    writeFileSync(this.#file(digest), bytes)
    this.#tags.set(`${name}:${reference}`, digest)
    this.pushed.push(name)
    response.writeHead(201, { 'docker-content-digest': digest }).end()
  }
}
