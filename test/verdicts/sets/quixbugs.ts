import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from '../../support/repository.ts'
import type { Exercise } from '../exercise.ts'
import { textsBelow } from './source.ts'

/* QuixBugs: forty small programs with a defect of one line, in Python and in Java, with tests and the right version. */

export function quixbugs(folder: string): Exercise[] {
  const all = textsBelow(folder)
  return [...pythonIn(folder, all), ...javaIn(folder, all)]
}

const nameOf = (stem: string): string => stem.toLowerCase().replaceAll('_', '-')

function pythonIn(folder: string, all: Files): Exercise[] {
  return readdirSync(join(folder, 'python_testcases'))
    .flatMap((file) => /^test_(.+)\.py$/.exec(file)?.[1] ?? [])
    .sort()
    .flatMap((stem) => {
      const path = `python_programs/${stem}.py`
      const [stub, reference] = [all[path], all[`correct_python_programs/${stem}.py`]]
      if (stub === undefined || reference === undefined) return []
      const test = `python_testcases/test_${stem}.py`
      const files: Files = {
        'conftest.py': all['conftest.py'] ?? '',
        'python_testcases/load_testdata.py': all['python_testcases/load_testdata.py'] ?? '',
        [test]: all[test] ?? '',
      }
      for (const shared of ['python_testcases/node.py', 'python_programs/node.py', `json_testcases/${stem}.json`])
        if (all[shared] !== undefined) files[shared] = all[shared]
      const name = `quix-${nameOf(stem)}`
      return [
        {
          set: 'quixbugs',
          language: 'python',
          name,
          files,
          stub: { [path]: stub },
          reference: { [path]: reference },
          tests: [test],
        },
      ]
    })
}

function javaIn(folder: string, all: Files): Exercise[] {
  return readdirSync(join(folder, 'java_testcases', 'junit'))
    .flatMap((file) => /^(.+)_TEST\.java$/.exec(file)?.[1] ?? [])
    .sort()
    .flatMap((stem) => {
      const source = `java_programs/${stem}.java`
      const [stub, right] = [all[source], all[`correct_java_programs/${stem}.java`]]
      if (stub === undefined || right === undefined) return []
      const path = `src/main/java/${source}`
      const test = `src/test/java/java_testcases/junit/${stem}Test.java`
      const text = all[`java_testcases/junit/${stem}_TEST.java`] ?? ''
      const files: Files = { [test]: text.replaceAll(`${stem}_TEST`, `${stem}Test`) }
      for (const shared of ['Node', 'WeightedEdge'])
        files[`src/main/java/java_programs/${shared}.java`] = all[`java_programs/${shared}.java`] ?? ''
      if (/QuixFixOracleHelper/.test(text))
        files['src/test/java/java_testcases/junit/QuixFixOracleHelper.java'] =
          all['java_testcases/junit/QuixFixOracleHelper.java'] ?? ''
      const reference = right.replaceAll('correct_java_programs', 'java_programs')
      const name = `quix-${nameOf(stem)}`
      return [
        {
          set: 'quixbugs',
          language: 'java',
          name,
          files,
          stub: { [path]: stub },
          reference: { [path]: reference },
          tests: [test],
        },
      ]
    })
}
