import '../main.ts' // `start` loads it when it is asked to; loaded here, it is compiled with the rest
import { runProgram } from './run-program.ts'
import { createProgram } from './server-program.ts'

await runProgram(createProgram, true)
