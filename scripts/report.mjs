import { say } from './run.mjs'

/**
 * The end of the output: every suite with its counts and its time, what was not run, then the failures. `alone`: the
 * command that runs one suite.
 */
export function report(results, alone) {
  const sum = (key) => results.reduce((total, one) => total + one[key], 0)
  say(`\n${table(results)}`)
  for (const one of results) {
    const why = whyNotRun(one)
    if (why !== null) say(why)
  }
  const failures = results.flatMap(({ failures = [] }) => failures)
  for (const { test, file, why } of failures.slice(0, 30)) say(`✗ ${file}: ${test}\n    ${why}`)
  if (failures.length > 30) say(`… and ${failures.length - 30} more`)
  const broken = results.filter(({ failed }) => failed > 0).map(({ name }) => name)
  if (broken.length > 0)
    say(`Failed: ${broken.join(', ')}. The lines above say what; one suite alone: ${alone(broken[0])}`)
  // Alone on the last line, for programs that read it.
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
  if (broken.length > 0) process.exitCode = 1
}

/** The skipped tests, which neither passed nor failed; null if there are none. */
function whyNotRun({ name, skipped, lacking = [] }) {
  if (skipped === 0 && lacking.length === 0) return null
  const why = lacking.length === 0 ? 'its output says why' : `there is no ${lacking.join(', no ')}`
  return `Not run: ${skipped} of ${name} (${why})`
}

function table(results) {
  const rows = results.map(({ name, passed, failed, skipped, seconds }) => [
    name,
    String(passed),
    String(failed),
    String(skipped),
    (seconds / 60).toFixed(1),
  ])
  const all = results.reduce((total, { seconds }) => total + seconds, 0)
  const lines = [['suite', 'passed', 'failed', 'skipped', 'minutes'], ...rows, ['', '', '', '', (all / 60).toFixed(1)]]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const cell = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n')
}
