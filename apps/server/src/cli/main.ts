import { createProgram } from './program.ts'
import { runProgram } from './run-program.ts'

/* The process of every command but `start`, whose process does without the others (server-main.ts). */

await runProgram(createProgram, false)
