import { Socket } from 'node:net'
import type { Carrier } from './supervisor-link.ts'

/**
 * A carrier from two open descriptors of pipes or sockets. Not by `process.stdin` and `process.stdout`: writing to a pipe
 * that way waits in the kernel until a server reads, and everything in this process waits with it.
 */
export function descriptorCarrier(input: number, output: number, pid?: number): Carrier {
  return {
    input: new Socket({ fd: input, readable: true, writable: false }),
    output: new Socket({ fd: output, readable: false, writable: true }),
    ...(pid === undefined ? {} : { pid }),
  }
}

/**
 * This process's own standard input and output as a carrier. Nobody else may use them from now on: Node would open the
 * descriptors once more at the first look at `process.stdout`, which `pipe` takes at every stream, and fail at times.
 */
export function standardCarrier(): Carrier {
  const carrier = descriptorCarrier(0, 1)
  Object.defineProperty(process, 'stdin', { value: carrier.input })
  Object.defineProperty(process, 'stdout', { value: carrier.output })
  return carrier
}
