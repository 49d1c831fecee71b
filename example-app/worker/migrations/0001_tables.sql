-- users: creates the table "users"
create table "users" ("id" text not null primary key, "email" text not null, "name" text not null, "role" text not null, "passwordHash" text not null, "isDemo" integer not null, "createdAt" integer not null) strict;
-- users: adds a unique index on "email"
create unique index "users__email_idx" on "users" ("email");
-- users: adds an index on "role"
create index "users__role_idx" on "users" ("role");
-- sessions: creates the table "sessions"
create table "sessions" ("id" text not null primary key, "userId" text not null, "expiresAt" integer not null) strict;
-- sessions: adds an index on "expiresAt"
create index "sessions__expires_idx" on "sessions" ("expiresAt");
-- mails: creates the table "mails"
create table "mails" ("id" text not null primary key, "recipient" text not null, "subject" text not null, "text" text not null, "sentAt" integer not null) strict;
-- mails: adds an index on "sentAt"
create index "mails__sent_idx" on "mails" ("sentAt");
-- wf_ledger: creates the table "wf_ledger"
create table "wf_ledger" ("key" text not null primary key, "kind" text not null, "count" integer not null, "data" text, "expiresAt" integer) strict;
-- wf_ledger: adds an index on "kind"
create index "wf_ledger__kind_idx" on "wf_ledger" ("kind");
-- wf_ledger: adds an index on "expiresAt"
create index "wf_ledger__expires_idx" on "wf_ledger" ("expiresAt");
-- wf_runs: creates the table "wf_runs"
create table "wf_runs" ("flowId" text not null primary key, "schemaId" text not null, "status" text not null, "stepId" text, "version" integer not null, "input" text, "answer" text, "runKey" text, "correlationId" text, "metadata" text, "attempts" integer default 0 not null, "dueAt" integer, "leaseUntil" integer, "leaseOwner" text, "claimSeq" integer default 0 not null, "expiresAt" integer, "waitsFor" text, "signalSeq" integer default 0 not null, "commitId" text, "lastError" text, "result" text, "startedAt" integer not null, "startedBy" text, "lastStartedAt" integer, "activeMs" integer default 0 not null, "completedAt" integer, "updatedAt" integer not null, "createdAt" integer not null, "createdBy" text, "lastUpdatedBy" text, "state" text not null, "inviteEmail" text, "applicant" text) strict;
-- wf_runs: adds an index on "schemaId"
create index "wf_runs__schema_idx" on "wf_runs" ("schemaId");
-- wf_runs: adds an index on "status", "startedAt"
create index "wf_runs__status_started_idx" on "wf_runs" ("status", "startedAt");
-- wf_runs: adds a unique index on "runKey"
create unique index "wf_runs__run_key_idx" on "wf_runs" ("runKey");
-- wf_runs: adds an index on "correlationId"
create index "wf_runs__correlation_idx" on "wf_runs" ("correlationId") where "correlationId" is not null;
-- wf_runs: adds an index on "dueAt"
create index "wf_runs__due_idx" on "wf_runs" ("dueAt") where "dueAt" is not null;
-- wf_runs: adds an index on "startedAt"
create index "wf_runs__started_idx" on "wf_runs" ("startedAt");
-- wf_runs: adds an index on "completedAt"
create index "wf_runs__completed_idx" on "wf_runs" ("completedAt") where "completedAt" is not null;
-- wf_runs: adds an index on "inviteEmail"
create index "wf_runs__invite_email_idx" on "wf_runs" ("inviteEmail");
-- wf_runs: adds an index on "applicant"
create index "wf_runs__applicant_idx" on "wf_runs" ("applicant");
-- wf_run_events: creates the table "wf_run_events"
create table "wf_run_events" ("flowId" text not null, "seq" integer not null, "schemaId" text not null, "type" text not null, "stepId" text, "at" integer not null, "startedAt" integer, "actor" text, "detail" text not null, "commitId" text, constraint "wf_run_events_pkey" primary key ("flowId", "seq")) strict, without rowid;
-- wf_run_links: creates the table "wf_run_links"
create table "wf_run_links" ("hash" text not null primary key, "flowId" text not null, "pause" integer not null, "recipient" text, "audience" text not null, "seat" text, "expiresAt" integer, "opens" integer default 0 not null, "openedAt" integer, "createdAt" integer not null) strict;
-- wf_run_links: adds an index on "flowId"
create index "wf_run_links__flow_idx" on "wf_run_links" ("flowId");
-- wf_run_links: adds an index on "expiresAt"
create index "wf_run_links__expires_idx" on "wf_run_links" ("expiresAt");
-- wf_run_outbox: creates the table "wf_run_outbox"
create table "wf_run_outbox" ("messageId" text not null primary key, "flowId" text not null, "pause" integer not null, "outlet" text not null, "recipient" text, "content" text not null, "status" text not null, "attempts" integer default 0 not null, "dueAt" integer, "claimSeq" integer default 0 not null, "lastError" text, "queuedAt" integer not null, "settledAt" integer, "createdAt" integer not null) strict;
-- wf_run_outbox: adds an index on "flowId"
create index "wf_run_outbox__flow_idx" on "wf_run_outbox" ("flowId");
-- wf_run_outbox: adds an index on "dueAt"
create index "wf_run_outbox__due_idx" on "wf_run_outbox" ("dueAt");
