import { connect } from 'node:net'
import { LinkSocket } from '../../../packages/agent/src/supervisor/link/link-socket.ts'
import { standardCarrier } from '../../../packages/agent/src/supervisor/link/descriptor-carrier.ts'
import { SupervisorLink } from '../../../packages/agent/src/supervisor/link/supervisor-link.ts'
import { systemClock } from '../../../packages/agent/src/process/clock.ts'
import { BlockSpool, MadeUpSpool } from './made-up-spool.ts'

/*
 * The container's end of a link in a process of its own. Arguments: the magic as hex; the sockets at which servers
 * listen, separated by commas, or `-` for the standard streams; the socket for clients in the container; the size of
 * its output.
 */
const [magic = '', carriers = '', clients = '', outputBytes = '0'] = process.argv.slice(2)

const RETRY_MS = 20

const link = new SupervisorLink({
  magic: Buffer.from(magic, 'hex'),
  spools: (name) => {
    const size = Number(outputBytes)
    return name === 'flood' ? new MadeUpSpool(size) : name === 'blocks' ? new BlockSpool(size) : null
  },
  take: ({ kind, stream }) => {
    if (kind !== 'echo') throw new Error(`no ${kind} here`)
    stream.pipe(stream)
  },
})

function dial(path: string): void {
  const socket = connect(path)
  socket.on('error', () => {})
  socket.on('close', () => void setTimeout(() => dial(path), RETRY_MS))
  socket.once('connect', () => link.attach({ input: socket, output: socket }))
}

await LinkSocket.open({ path: clients }, link, systemClock)
if (carriers === '-') link.attach(standardCarrier())
else for (const path of carriers.split(',')) dial(path)
process.stderr.write('ready\n')
