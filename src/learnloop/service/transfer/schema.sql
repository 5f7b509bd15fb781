-- A team in Postgres. Everything is keyed by space. Members read what row-level security lets them, and write
-- through functions alone. No extension and no superuser is needed: an owner who may create roles is enough.
create schema learnloop;
set local search_path = learnloop;

create table space (
  id text primary key, name text not null, format int not null default 1,
  head bigint not null default 0,        -- one more per record, in the order of commits
  chain text not null default ''         -- the hash of the log so far
);
create table member (
  space text references space, id text, name text not null, role text not null check (role in ('maintainer', 'member')),
  gone boolean not null default false, n bigint not null, key text,   -- key: reserved for signatures
  primary key (space, id)
);
create table login (                     -- one for each machine
  space text, login text, member text not null, primary key (space, login),
  foreign key (space, member) references member
);
create table device (space text, id text, member text not null, seq bigint not null default 0, primary key (space, id));
create table record (                    -- the log, without any text
  space text references space, n bigint, id text not null, device text, seq bigint, chain text not null,
  sig text,                              -- reserved for signatures
  primary key (space, n), unique (space, id), unique (space, device, seq)
);
create table version (
  space text references space, tid text, v text, body text, author text not null, n bigint not null,
  primary key (space, tid, v)
);
create table stance (
  space text references space, id text, tid text not null, member text not null, v text not null, prev text[] not null,
  says text not null check (says in ('approve', 'reject', 'archive', 'none')), n bigint not null, primary key (space, id)
);
create table lesson (                    -- derived: what the stances of all come to
  space text references space, tid text, v text, approvals int not null, rejections int not null,
  archived boolean not null, n bigint not null, primary key (space, tid)
);
create index on member (space, n);
create index on version (space, n);
create index on lesson (space, n);
create index on stance (space, member, n);
create index on stance (space, tid);

-- The spaces of whoever is connected, and who he is there. `set role` does not change session_user.
create function mine() returns table (space text, member text, role text)
language sql stable security definer set search_path = learnloop, pg_temp as $$
  select m.space, m.id, m.role from login l join member m on m.space = l.space and m.id = l.member
  where l.login = session_user and not m.gone
$$;

alter table space enable row level security;
alter table member enable row level security;
alter table login enable row level security;
alter table device enable row level security;
alter table record enable row level security;
alter table version enable row level security;
alter table stance enable row level security;
alter table lesson enable row level security;
create policy own on space for select using (id in (select space from mine()));
create policy own on member for select using (space in (select space from mine()));
create policy own on record for select using (space in (select space from mine()));
create policy own on version for select using (space in (select space from mine()));
create policy own on lesson for select using (space in (select space from mine()));
create policy own on stance for select using ((space, member) in (select space, member from mine()));

-- From here on everything may be run again: an older space is brought up to date by it.
set local search_path = learnloop;
alter table space alter format set default 2;
update space set format = 2 where format < 2;
alter table device add column if not exists closed boolean not null default false;

-- What devices counted of a lesson since they are there: told, ignored, corrected, heeded, stopped.
create table if not exists tally (
  space text, tid text, device text, member text not null,
  home text not null,                    -- the same for all copies of a home
  before int[] not null,                 -- what other copies had told when this one began
  counts int[] not null, own int[] not null, -- counts less before
  primary key (space, tid, device), foreign key (space, tid) references lesson,
  foreign key (space, device) references device,
  check (cardinality(counts) = 5 and array_position(counts, null) is null
    and 0 <= all (counts) and 1000000 >= all (counts))
);
create table if not exists total (       -- derived: sums over three people or more, or nothing
  space text, tid text, people int not null, told bigint not null, ignored bigint not null,
  corrected bigint not null, heeded bigint not null, stopped bigint not null, n bigint not null,
  primary key (space, tid), foreign key (space, tid) references lesson,
  check (people >= 3 or (people, told, ignored, corrected, heeded, stopped) = (0, 0, 0, 0, 0, 0))
);
create index if not exists tally_member on tally (space, member);
create index if not exists total_n on total (space, n);
alter table tally enable row level security;
alter table total enable row level security;
drop policy if exists own on tally;
drop policy if exists own on total;
create policy own on tally for select using ((space, member) in (select space, member from mine()));
create policy own on total for select using (space in (select space from mine()));

-- The next number of a space, whose row the caller has locked.
create or replace function bump(p_space text, p_id text, p_device text, p_seq bigint) returns bigint
language plpgsql set search_path = learnloop, pg_temp as $$
declare s space;
begin
  update space set head = head + 1, chain = left(encode(sha256(convert_to(chain || p_id, 'UTF8')), 'hex'), 32)
  where id = p_space returning * into s;
  insert into record values (p_space, s.head, p_id, p_device, p_seq, s.chain);
  return s.head;
end $$;

-- What the stances on a lesson come to: a function of their set. Of one member's stances those count that no later
-- one of his names in `prev`; of several, which did not know of each other, the most careful one.
create or replace function recount(p_space text, p_tid text, p_n bigint) returns void
language plpgsql set search_path = learnloop, pg_temp as $$ begin  -- its plan is kept for the records of a push
  with own as (
    select distinct on (s.member) s.member, s.says, s.v from stance s
    where s.space = p_space and s.tid = p_tid and not exists (
      select from stance t where t.space = s.space and t.tid = s.tid and t.member = s.member and s.id = any (t.prev))
    order by s.member, array_position(array['reject', 'archive', 'none', 'approve'], s.says), s.v
  ), named as (
    select own.*, m.role = 'maintainer' as leads from own join member m on m.space = p_space and m.id = own.member
  ), best as (
    select w.v from version w join named on named.says = 'approve' and named.v = w.v
    where w.space = p_space and w.tid = p_tid and w.body is not null
    group by w.v order by count(*) desc, count(*) filter (where leads) desc, w.v limit 1
  )
  insert into lesson select p_space, p_tid, (select v from best),
    (select count(*) from named where says = 'approve'), (select count(*) from named where says = 'reject'),
    exists (select from named where says = 'archive' and leads), p_n
  on conflict (space, tid) do update set v = excluded.v, approvals = excluded.approvals,
    rejections = excluded.rejections, archived = excluded.archived, n = excluded.n;
end $$;

-- Locks a space and says who is connected; raises for everybody who is no member.
create or replace function enter(p_space text, out member text, out role text)
language plpgsql set search_path = learnloop, pg_temp as $$
begin
  perform from space where id = p_space and id in (select m.space from mine() m) for update;
  select m.member, m.role into member, role from mine() m where m.space = p_space;
  if member is null then raise exception 'you are no member of this space' using errcode = '42501'; end if;
end $$;

-- Enters one record: a wording, whose name is its hash, or what its member says about one.
create or replace function say(p_space text, p_who text, p_id text, p_n bigint, r jsonb) returns void
language plpgsql set search_path = learnloop, pg_temp as $$
declare
  p_tid text := r ->> 'tid'; p_v text := coalesce(r ->> 'v', ''); p_body text := r ->> 'body';
begin
  if coalesce(p_tid !~ '^[a-z2-7]{4,26}$', true) then raise exception 'no id of a lesson' using errcode = 'LL003'; end if;
  if r ->> 'kind' = 'version' then
    if p_body is null or octet_length(p_body) > 8000
      or p_v <> left(encode(sha256(convert_to(p_body, 'UTF8')), 'hex'), 32) then
      raise exception 'a wording is too long, or not what its name says' using errcode = 'LL003';
    end if;
    insert into version values (p_space, p_tid, p_v, p_body, p_who, p_n) on conflict do nothing;
  elsif r ->> 'kind' = 'stance' then
    if jsonb_array_length(r -> 'prev') > 100 or length(p_v) > 32 or (r ->> 'says' = 'approve' and not exists (
      select from version w where w.space = p_space and w.tid = p_tid and w.v = p_v and w.body is not null)) then
      raise exception 'there is no such wording' using errcode = 'LL003';
    end if;
    insert into stance values (p_space, p_id, p_tid, p_who, p_v,
      array(select left(jsonb_array_elements_text(r -> 'prev'), 32)), r ->> 'says', p_n);
  else
    raise exception 'this database knows no such record' using errcode = 'LL003';
  end if;
  perform recount(p_space, p_tid, p_n);
end $$;

-- The row of a device, which is its member's alone.
create or replace function device_of(p_space text, p_device text, p_who text) returns device
language plpgsql set search_path = learnloop, pg_temp as $$
declare dev device;
begin
  if p_device !~ '^[0-9a-f]{32}$' then raise exception 'no device' using errcode = 'LL003'; end if;
  insert into device values (p_space, p_device, p_who) on conflict do nothing;
  select * into dev from device where space = p_space and id = p_device;
  if dev.member <> p_who then raise exception 'this device is of somebody else' using errcode = 'LL003'; end if;
  return dev;
end $$;

-- Appends records of a device, of which the first is its number p_first. Records that are there already are passed
-- over. LL001: the device said something else under that number, so its home is a copy. LL002: the database lacks
-- numbers before it, so it was put back. LL003: not allowed or not well formed.
create or replace function push(p_space text, p_device text, p_first bigint, p_records jsonb) returns void
language plpgsql security definer set search_path = learnloop, pg_temp as $$
declare
  who text := (enter(p_space)).member;
  dev device := device_of(p_space, p_device, who); r jsonb; at bigint := p_first; rid text;
begin
  if jsonb_array_length(p_records) > 500 then raise exception 'too many records' using errcode = 'LL003'; end if;
  if at > dev.seq + 1 then raise exception 'records of this device are missing' using errcode = 'LL002'; end if;
  for r in select value from jsonb_array_elements(p_records) loop
    rid := left(encode(sha256(convert_to(p_device || ':' || at || ':' || r::text, 'UTF8')), 'hex'), 32);
    if at > dev.seq then
      perform say(p_space, who, rid, bump(p_space, rid, p_device, at), r);
    elsif not exists (select from record where space = p_space and device = p_device and seq = at and id = rid) then
      raise exception 'this device said something else' using errcode = 'LL001';
    end if;
    at := at + 1;
  end loop;
  update device set seq = greatest(seq, at - 1) where space = p_space and id = p_device;
end $$;

-- Adds up what was counted of lessons. Below three people nothing is shown; what was shown before goes.
create or replace function add_up(p_space text, p_tids text[], p_n bigint) returns void
language sql set search_path = learnloop, pg_temp as $$
  with sums as (
    select tid, count(distinct member) as people, sum(own[1]) as told, sum(own[2]) as ignored,
      sum(own[3]) as corrected, sum(own[4]) as heeded, sum(own[5]) as stopped
    from tally where space = p_space and tid = any (p_tids) and own[1] > 0
    group by tid having count(distinct member) >= 3
  )
  insert into total select p_space, tid, coalesce(people, 0), coalesce(told, 0), coalesce(ignored, 0),
    coalesce(corrected, 0), coalesce(heeded, 0), coalesce(stopped, 0), p_n
  from unnest(p_tids) as named (tid) left join sums using (tid)
  where people is not null or exists (select from total t where t.space = p_space and t.tid = named.tid)
  on conflict (space, tid) do update set people = excluded.people, told = excluded.told,
    ignored = excluded.ignored, corrected = excluded.corrected, heeded = excluded.heeded,
    stopped = excluded.stopped, n = excluded.n
$$;

create or replace function less(p_counts int[], p_before int[]) returns int[]
language sql immutable set search_path = learnloop, pg_temp as $$
  select array_agg(greatest(0, a - b) order by at) from unnest(p_counts, p_before) with ordinality as u (a, b, at)
$$;

-- Takes what a device counted of lessons since it is there, each as [lesson, [told, ignored, corrected, heeded,
-- stopped]]. Of two rows the greater one stays, in this order, so that saying it again and a backup that was put
-- back change nothing. A device that follows another (p_former) closes it, and counts only what no copy of its
-- home had told before: whoever goes on under the closed one gets LL001, and has to follow it too.
create or replace function tell(p_space text, p_device text, p_former text, p_home text, p_counts jsonb) returns void
language plpgsql security definer set search_path = learnloop, pg_temp as $$
declare
  who text := (enter(p_space)).member;
  dev device := device_of(p_space, p_device, who); tids text[];
begin
  if jsonb_array_length(p_counts) > 500 or length(p_home) > 32 then
    raise exception 'too many lessons, or no home' using errcode = 'LL003';
  end if;
  if dev.closed then raise exception 'a copy of this home follows this device' using errcode = 'LL001'; end if;
  update device set closed = true
  where space = p_space and id = p_former and id <> p_device and member = who and not closed;
  with given as (
    select r ->> 0 as tid, array(
      select c::int from jsonb_array_elements_text(r -> 1) with ordinality as e (c, at) order by at) as counts
    from jsonb_array_elements(p_counts) as r
  ), copies as (
    select g.tid, g.counts, array[coalesce(sum(own[1]), 0), coalesce(sum(own[2]), 0), coalesce(sum(own[3]), 0),
      coalesce(sum(own[4]), 0), coalesce(sum(own[5]), 0)]::int[] as before
    from given g left join tally t
      on t.space = p_space and t.tid = g.tid and t.member = who and t.home = p_home and t.device <> p_device
    group by g.tid, g.counts
  ), heard as (
    insert into tally as t
    select p_space, tid, p_device, who, p_home, before, counts, less(counts, before) from copies
    on conflict (space, tid, device) do update
      set counts = excluded.counts, own = less(excluded.counts, t.before)
      where excluded.counts > t.counts
    returning tid
  )
  select array_agg(tid) into tids from heard;
  if tids is not null then
    perform add_up(p_space, tids, bump(p_space, gen_random_uuid()::text, null, null));
  end if;
end $$;

-- leave, forget: oneself. remove, void (and take back what he approved), promote: a maintainer, another one.
create or replace function manage(p_space text, p_member text, p_what text) returns void
language plpgsql security definer set search_path = learnloop, pg_temp as $$
declare
  me record; num bigint; each_login text; each_tid text; tids text[]; heard text[];
begin
  select * into me from enter(p_space);
  if p_what in ('leave', 'forget') then
    p_member := me.member;
  elsif me.role <> 'maintainer' or p_what not in ('remove', 'void', 'promote') then
    raise exception 'only a maintainer may do that' using errcode = '42501';
  end if;
  num := bump(p_space, gen_random_uuid()::text, null, null);
  if p_what = 'promote' then
    update member set role = 'maintainer', n = num where space = p_space and id = p_member and not gone;
    return;
  end if;
  for each_login in select login from login where space = p_space and member = p_member loop
    execute format('alter role %I nologin', each_login);
  end loop;
  tids := array(select distinct tid from stance where space = p_space and member = p_member
    union select tid from version where space = p_space and author = p_member);
  if p_what in ('void', 'forget') then
    delete from stance where space = p_space and member = p_member;
    heard := array(select distinct tid from tally where space = p_space and member = p_member);
    delete from tally where space = p_space and member = p_member;
    perform add_up(p_space, heard, num);
  end if;
  if p_what = 'forget' then
    update record set device = null, seq = null where space = p_space and device in (
      select id from device where space = p_space and member = p_member);
    delete from device where space = p_space and member = p_member;
    delete from login where space = p_space and member = p_member;
    update version w set author = '', n = num, body = case when exists (
      select from stance s where s.space = w.space and s.tid = w.tid and s.v = w.v and s.says = 'approve') then body end
    where w.space = p_space and w.author = p_member;
  end if;
  update member set gone = true, n = num, name = case p_what when 'forget' then '' else name end
  where space = p_space and id = p_member;
  if not exists (select from member where space = p_space and role = 'maintainer' and not gone)
    and exists (select from member where space = p_space and not gone) then
    raise exception 'the last maintainer stays while there are others' using errcode = 'LL003';
  end if;
  foreach each_tid in array tids loop
    perform recount(p_space, each_tid, num);
  end loop;
end $$;

-- Puts a password of one's own in place of that of the invitation, which ends after a day.
create or replace function join_in(p_verifier text) returns void
language plpgsql security definer set search_path = learnloop, pg_temp as $$
begin
  if not exists (select from mine()) or p_verifier !~ '^SCRAM-SHA-256\$' then
    raise exception 'you are no member here' using errcode = '42501';
  end if;
  execute format('alter role %I password %L valid until ''infinity''', session_user, p_verifier);
end $$;

-- Who has a transaction open that the others wait for.
create or replace function holders() returns text
language sql security definer set search_path = learnloop, pg_temp as $$
  select string_agg(distinct m.name, ', ') from pg_locks k join pg_stat_activity a using (pid)
  join login l on l.login = a.usename join member m on m.space = l.space and m.id = l.member
  where k.relation = 'learnloop.space'::regclass and k.granted and k.pid <> pg_backend_pid()
    and k.mode = 'RowShareLock' and m.space in (select space from mine())
$$;

-- For the owner alone: a login for a machine of a member, who is new unless he is there.
create or replace function invite(p_space text, p_member text, p_name text, p_role text, p_login text, p_verifier text)
returns void language plpgsql set search_path = learnloop, pg_temp as $$
declare num bigint;
begin
  perform from space where id = p_space for update;
  num := bump(p_space, gen_random_uuid()::text, null, null);
  execute format('create role %I login password %L valid until %L', p_login, p_verifier, now() + interval '1 day');
  execute format('grant %I to %I', p_login, current_user);
  insert into member values (p_space, p_member, p_name, p_role, false, num) on conflict do nothing;
  insert into login values (p_space, p_login, p_member);
end $$;

revoke all on all functions in schema learnloop from public;
grant usage on schema learnloop to public;
grant execute on function mine(), push(text, text, bigint, jsonb),
  tell(text, text, text, text, jsonb), manage(text, text, text), join_in(text), holders()
  to public;
grant select on space, version, lesson, stance, tally, total to public;
grant select (space, id, name, role, gone, n) on member to public;
grant select (space, n, id, chain) on record to public;
