-- Takes back what `accounts.sql` and the sign-ins with its accounts have made.
DELETE s FROM Session s JOIN Account a ON a.User_ID = s.Device_ID WHERE a.Email LIKE '%@bench.example';
DELETE d FROM Device d JOIN Account a ON a.User_ID = d.Device_ID WHERE a.Email LIKE '%@bench.example';
DELETE k FROM Known_device k JOIN Account a ON a.User_ID = k.User_ID WHERE a.Email LIKE '%@bench.example';
DELETE FROM Mail WHERE Email LIKE '%@bench.example';
DELETE FROM Account WHERE Email LIKE '%@bench.example';
DELETE FROM Ended_session;
