import type { Store } from '../store.ts'

/** Every method of the store that changes something. */
export const writes = [
  'addBead',
  'addContainer',
  'addCooldown',
  'addEvent',
  'addPlan',
  'addProject',
  'addRetry',
  'addTokens',
  'addVerifications',
  'allowTests',
  'answerRequest',
  'approvePhase',
  'approvePlan',
  'beginPhase',
  'beginProof',
  'beginRound',
  'askPause',
  'askPullRequest',
  'claimBegins',
  'claimRefused',
  'commitRecord',
  'containerCreated',
  'dismissIssue',
  'dropProof',
  'endExecution',
  'endFollowUps',
  'endProof',
  'endRound',
  'endSession',
  'endWait',
  'fileFollowUp',
  'fileReview',
  'flagExecution',
  'forgetContainer',
  'forgetEnvironment',
  'forgetImages',
  'grantBudget',
  'judgeReview',
  'keepContainer',
  'keepAnswer',
  'keepWebhooks',
  'letContinue',
  'makeOnce',
  'moveBead',
  'movePullRequest',
  'noteBudgetWait',
  'noteConflict',
  'noteDiffSize',
  'noteEgress',
  'noteElapsed',
  'noteExecution',
  'noteImages',
  'noteRedGreen',
  'noteReviewer',
  'noteSaveTry',
  'noteStop',
  'noteStopPending',
  'pipelineDone',
  'queueExecution',
  'queueForWebhook',
  'queueReview',
  'releaseClaim',
  'releaseContainer',
  'rememberEngine',
  'rememberEnvironment',
  'removeProject',
  'reopenIssue',
  'replaceBeads',
  'requestCancel',
  'sessionRunning',
  'setOverrides',
  'skipSubtask',
  'startExecution',
  'startSession',
  'takeContainer',
  'takePhase',
  'touch',
  'trackerClaimed',
  'trackerDropped',
  'trackerHas',
  'trackerLater',
  'trackerOutdated',
  'trackerTaken',
  'updateProject',
  'waitAfterPhase',
  'webhookFailed',
  'webhookHas',
] as const satisfies readonly (keyof Store)[]

export type Write = (typeof writes)[number]

/**
 * The store for everything that works by itself. A write that the database cannot take now (another process holds its
 * lock, the disk is full) waits, in order and without blocking, until it can; its promise resolves once it is committed
 * and on the disk. It is tried at once, so a caller that does not wait for it still finds it done where nothing is in
 * the way, and it is never overtaken by a later one.
 *
 * A plain `Store` is one too, which only never waits.
 */
export type PatientStore = { [Name in keyof Store]: Name extends Write ? Later<Store[Name]> : Store[Name] }

type Later<Method> = Method extends (...args: infer Args) => infer Result
  ? (...args: Args) => Result | Promise<Result>
  : never
