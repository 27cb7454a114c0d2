import type { RuleText } from './rule.ts'

/** Beside gitleaks' rules: a password in an address. */
export const ownRules: readonly RuleText[] = [
  {
    id: 'url-password',
    // A host with a dot: one of a single word is a container beside it, and a password there is nobody's.
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
