/*
 * The failures after which the built-in agent begins again. They are flags: a setting can name several, and a failure
 * can be of several kinds. Names and numbers are fixed, because people write them and stores keep them.
 */

export const retryConditions = {
  None: 0,
  BuildErrors: 1,
  TestFailures: 2,
  ToolErrors: 4,
  MaxStepsReached: 8,
  AllFailures: 15,
} as const

export type RetryConditionName = keyof typeof retryConditions

export const retryConditionNames = Object.keys(retryConditions) as [RetryConditionName, ...RetryConditionName[]]

/** Some of the flags, added up; 0: none. */
export type RetryCondition = number

export const combined = (names: readonly RetryConditionName[]): RetryCondition =>
  names.reduce((all, name) => all | retryConditions[name], 0)

export const has = (condition: RetryCondition, name: RetryConditionName): boolean =>
  (condition & retryConditions[name]) !== 0

/** The fewest names with the same meaning. */
export function namesOf(condition: RetryCondition): RetryConditionName[] {
  const whole = retryConditionNames.find((name) => retryConditions[name] === condition)
  return whole === undefined
    ? retryConditionNames.filter((name) => name !== 'AllFailures' && has(condition, name))
    : [whole]
}
