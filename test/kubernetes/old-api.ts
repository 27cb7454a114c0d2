import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const { KUBERNETES_ROOT: root = '' } = process.env

/** The cluster's API, unchanged except for its version: that of another release, until it is `updated`. */
export class OldApi {
  /** Null: the API server's own version. */
  version: { major: string; minor: string; gitVersion: string } | null
  readonly kubeconfig: string
  readonly #server: Server

  private constructor(server: Server, kubeconfig: string, version: OldApi['version']) {
    this.#server = server
    this.kubeconfig = kubeconfig
    this.version = version
  }

  static async start(folder: string, version: OldApi['version']): Promise<OldApi> {
    const pki = (name: string) => readFileSync(join(root, 'pki', name))
    const [ca, cert, key] = [pki('ca.crt'), pki('admin.crt'), pki('admin.key')]
    const server = createServer({ cert: pki('apiserver.crt'), key: pki('apiserver.key') }, (asked, answer) => {
      const { method, url: path, headers } = asked
      if (/^\/version\/?$/.test(path ?? '') && old.version !== null) {
        asked.resume()
        answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(old.version))
        return
      }
      const onwards = request({ host: '10.250.0.1', port: 6443, ca, cert, key, method, path, headers }, (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      })
      onwards.on('error', () => answer.destroy())
      asked.pipe(onwards)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const kubeconfig = join(folder, 'old.conf')
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [
          {
            name: 'old',
            cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': join(root, 'pki', 'ca.crt') },
          },
        ],
        users: [{ name: 'u', user: {} }],
        contexts: [{ name: 'old', context: { cluster: 'old', user: 'u' } }],
        'current-context': 'old',
      }),
    )
    const old: OldApi = new OldApi(server, kubeconfig, version)
    return old
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
