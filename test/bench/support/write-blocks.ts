import { once } from 'node:events'
import { Socket } from 'node:net'
import { block } from '../../support/link/made-up-spool.ts'

/* Says that it is ready, waits for a line on standard input, then writes that many bytes to standard output. */

const size = Number(process.argv[2])
const output = new Socket({ fd: 1, readable: false, writable: true })
output.write('.')
await once(new Socket({ fd: 0, readable: true, writable: false }), 'data')
for (let written = 0; written < size; written += block.length)
  if (!output.write(block.subarray(0, size - written))) await once(output, 'drain')
output.end()
