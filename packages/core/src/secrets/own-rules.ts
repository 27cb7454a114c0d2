import type { RuleText } from './rule.ts'

/** Rules in addition to gitleaks': a password in an address. */
export const ownRules: readonly RuleText[] = [
  {
    id: 'url-password',
    // Only hosts with a dot: a host of a single word is a neighbouring container, whose password protects nothing.
    regex:
      '\\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\\s:/@"\'`<>()|\\\\]{1,100}:([^\\s:/@"\'`<>(){}$%|\\\\]{8,100})@[a-zA-Z0-9-]{1,63}(?:\\.[a-zA-Z0-9-]{1,63})*\\.[a-zA-Z]{2,}\\b',
    keywords: ['://'],
    entropy: 3,
    allow: [
      {
        target: 'match',
        regexes: [
          '(?i)@(?:[a-z0-9.-]*\\.)?(?:example|test|invalid|localhost|local|internal\\.test|domain|host|server|proxy|company|yourdomain)(?:\\.[a-z]{2,})?$',
        ],
      },
      { regexes: ['(?i)^(?:pass|pw|secret|token|user)(?:word|wd|phrase)?[0-9!]{0,4}$'] },
    ],
  },
]
