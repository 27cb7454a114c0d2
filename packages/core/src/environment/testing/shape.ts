/** A made-up repository, with the files that matter. */
export type Shape = { name: string; files: Record<string, string> }

export const json = (value: object): string => JSON.stringify(value, null, 2)
export const shape = (name: string, files: Record<string, string>): Shape => ({ name, files })
export const steps = (...lines: string[]): string =>
  `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${lines.map((line) => `      - ${line}\n`).join('')}`
export const vitest = { scripts: { test: 'vitest run' }, devDependencies: { vitest: '^3.0.0' } }
