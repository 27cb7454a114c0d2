import { blockTests, type Verdict } from '../../reading/failure-blocks.ts'

/** bats: TAP with places of its own, and its format for terminals. */
export const bats = blockTests({
  name: 'bats',
  command: /(?:^|[\s/;&|("'])bats(?=[\s;&|)"']|$)/,
  signs: ['(in test file ', '(from function '],
  fromStart: true,
  head: (line) => {
    const name = /^(?:not ok \d{1,7} | ✗ )(\S.{0,400}?)(?: in \d{1,9}ms| \[\d{1,9}\])?$/.exec(line)?.[1]
    return name === undefined || / # (?:skip|todo)\b/i.test(name) ? null : { path: [name] }
  },
  ends: /^(?:ok \d| ✓ | - )/,
  margin: /^# ?| {3}/,
  total: /^(?:1\.\.(?<tests>\d{1,9})|(?<passed>\d{1,9}) tests?, (?<ignored>\d{1,9}) failures?(?:, \d{1,9} .{1,60})?)$/,
  verdict: (line): Verdict | null => {
    const [, name, skipped] = VERDICT.exec(line) ?? []
    return name === undefined ? null : { name, is: skipped === undefined ? 'ran' : 'skipped' }
  },
})

const VERDICT =
  /^(?:(?:not )?ok \d{1,7} | [✓✗-] )(\S.{0,400}?)(?: in \d{1,9}ms| \[\d{1,9}\])?( # skip\b.*| \(skipped.*\))?$/
