-- Whether there is another admin is asked in the statement that deletes one.
CREATE INDEX users_admins ON users (id) WHERE is_admin = 1;
