import { RE2JS } from 're2js'
import data from './rules.json' with { type: 'json' }
import { ownRules } from './own-rules.ts'
import type { Allow, RuleText } from './rule.ts'

const compiled = new Map<string, RE2JS>()

/**
 * Compiles a rule for RE2, whose work is linear in the text. Called when a text first needs the rule: each takes
 * milliseconds.
 */
export function compile(regex: string): RE2JS {
  const known = compiled.get(regex)
  if (known) return known
  const made = RE2JS.compile(regex)
  compiled.set(regex, made)
  return made
}

export const finds = (regex: string, text: string): boolean => compile(regex).matcher(text).find()

export const rules: readonly RuleText[] = [...ownRules, ...(data.rules as readonly RuleText[])]

/** The exceptions for all rules. */
export const allowedAnyway: Allow = data.allow
