import { Socket } from 'node:net'
import type { Carrier } from './supervisor-link.ts'

/**
 * A carrier from two open descriptors of pipes or sockets. `process.stdin` and `process.stdout` will not do: a write to
 * a pipe through them blocks in the kernel until a server reads, and blocks this whole process.
 */
export function descriptorCarrier(input: number, output: number, pid?: number): Carrier {
  return {
    input: new Socket({ fd: input, readable: true, writable: false }),
    output: new Socket({ fd: output, readable: false, writable: true }),
    ...(pid === undefined ? {} : { pid }),
  }
}

/**
 * This process's own standard input and output as a carrier. Nobody else may use them afterwards: Node would open the
 * descriptors again at the first access to `process.stdout`, which `pipe` makes for every stream, and that sometimes
 * fails.
 */
export function standardCarrier(): Carrier {
  const carrier = descriptorCarrier(0, 1)
  Object.defineProperty(process, 'stdin', { value: carrier.input })
  Object.defineProperty(process, 'stdout', { value: carrier.output })
  return carrier
}
