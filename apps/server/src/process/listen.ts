import type { Server } from 'node:http'

export class CannotListen extends Error {
  override name = 'CannotListen'
}

/** Resolves with the port in use (0 asks for any free one). Throws `CannotListen`, which says what to do. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(new CannotListen(reasonOf(error, host, port)))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function reasonOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use, perhaps by another Beadloom. Choose another port with --port, or 0 for any free one.`
    case 'EACCES':
      return `you are not allowed to use port ${port}: choose one above 1023 with --port`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `this machine has no address ${host}: choose another one with --host, such as 127.0.0.1`
    default:
      return `cannot listen on ${host}, port ${port}: ${message}`
  }
}
