/*
 * Passes connections to a Unix socket on to a loopback port of the network in which it runs:
 *
 *     nsenter --net=/proc/PID/ns/net node relay.ts SOCKET PORT
 */
import { connect, createServer } from 'node:net'

const [socketPath = '', port = ''] = process.argv.slice(2)

createServer({ noDelay: true }, (client) => {
  const server = connect({ host: '127.0.0.1', port: Number(port), noDelay: true })
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const)
    from.on('error', () => to.destroy()).pipe(to)
}).listen(socketPath, () => process.stdout.write('ready\n'))
