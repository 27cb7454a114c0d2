/** `exact`: it compares with a value. `check`: it asks something. `fails`: it fails. `call`: as the program ends. */
export type Strength = 'none' | 'call' | 'check' | 'exact' | 'fails'

/** A place where a started file can fail. */
export type Unit = { text: string; strength: Exclude<Strength, 'none'> }

/** `stops`: it ends with the first failure. `decides`: its last command says how it ends. */
export type Failing = { units: Unit[]; stops: boolean; decides: boolean }

/** Lines that a check starts, in one file. `isDone`: a command whose file is read itself counts by its content. */
export type Part = {
  path: string
  language: 'shell' | 'make' | 'code'
  lines: string[]
  isDone: (words: string) => boolean
}
