import '../main.ts' // `start` would load it later; loaded here, it is compiled with the rest
import { runProgram } from './run-program.ts'
import { createProgram } from './server-program.ts'

await runProgram(createProgram, true)
