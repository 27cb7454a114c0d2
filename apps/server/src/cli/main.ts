import { createProgram } from './program.ts'
import { runProgram } from './run-program.ts'

/* Every command but a server's `start`; that one has a process without the others (server-main.ts). */

await runProgram(createProgram, false)
