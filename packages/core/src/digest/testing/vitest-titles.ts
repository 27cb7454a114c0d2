/** The failing tests in the recorded runs of Vitest, in every format. */
export const vitestTitles = [
  'auth.test.ts > AuthModule > testLogin',
  'auth.test.ts > AuthModule > testLogout',
  'auth.test.ts > AuthModule > tokens > testRefresh',
  'auth.test.ts > waits for what never comes',
  'auth.test.ts > is odd: 2',
  'snap.test.ts > renders',
]
