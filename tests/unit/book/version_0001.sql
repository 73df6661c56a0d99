BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	action TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	details TEXT NOT NULL, 
	CONSTRAINT pk_audit PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES(1,'2026-11-20T12:00:00Z','office','create-book','book','Example Federation');
INSERT INTO "audit" VALUES(2,'2026-11-20T12:00:00Z','office','opening-balance','member 90000007','decision 1: The list of 2025.');
INSERT INTO "audit" VALUES(3,'2026-11-20T12:00:00Z','office','submit','submission 1','event 202601030001, ready, 0 findings');
INSERT INTO "audit" VALUES(4,'2026-11-20T12:00:00Z','office','submit','submission 2','event 202601170001, ready, 0 findings');
INSERT INTO "audit" VALUES(5,'2026-11-20T12:00:00Z','office','rate-section','event 202601030001 section 1','run 1, regular, 6 rows');
INSERT INTO "audit" VALUES(6,'2026-11-20T12:00:00Z','office','rate-event','event 202601030001','submission 1');
INSERT INTO "audit" VALUES(7,'2026-11-20T12:00:00Z','office','rate-section','event 202601170001 section 1','run 1, regular, quick, 12 rows');
INSERT INTO "audit" VALUES(8,'2026-11-20T12:00:00Z','office','rate-event','event 202601170001','submission 2');
INSERT INTO "audit" VALUES(9,'2026-11-20T12:00:00Z','office','submit','submission 3','event 202601100001, ready, 0 findings');
INSERT INTO "audit" VALUES(10,'2026-11-20T12:00:00Z','office','rate-section','event 202601100001 section 1','run 2, regular, 6 rows');
INSERT INTO "audit" VALUES(11,'2026-11-20T12:00:00Z','office','rate-event','event 202601100001','submission 3');
INSERT INTO "audit" VALUES(12,'2026-11-20T12:00:00Z','office','rerate','run 3','2 sections, 2 rated again, 12 rows, 12 closed, 12 ratings changed');
INSERT INTO "audit" VALUES(13,'2026-11-20T12:00:00Z','office','publish','official list 2026-02','8 members, 14 ratings');
INSERT INTO "audit" VALUES(14,'2026-11-20T12:00:00Z','office','submit','submission 4','event 202602070001, held, 2 findings');
CREATE TABLE book (
	id SMALLINT NOT NULL, 
	name TEXT NOT NULL, 
	country TEXT NOT NULL, 
	member_id_pattern TEXT NOT NULL, 
	systems TEXT NOT NULL, 
	cut_off TEXT NOT NULL, 
	least_published_games INTEGER NOT NULL, 
	rulebook_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	created_at TEXT NOT NULL, 
	CONSTRAINT pk_book PRIMARY KEY (id), 
	CONSTRAINT ck_book_single CHECK (id = 1), 
	CONSTRAINT fk_book_rulebook_id_rulebooks FOREIGN KEY(rulebook_id) REFERENCES rulebooks (id)
);
INSERT INTO "book" VALUES(1,'Example Federation','USA','(?!0{8})[0-9]{8}','["regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz"]','third-wednesday',4,1,6,'2026-11-20T12:00:00Z');
CREATE TABLE decisions (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	decided_by TEXT NOT NULL, 
	decided_at TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	effective DATE, 
	member_id TEXT, 
	system TEXT, 
	event_id TEXT, 
	section_number INTEGER, 
	value DOUBLE, 
	details TEXT NOT NULL, 
	CONSTRAINT pk_decisions PRIMARY KEY (id), 
	CONSTRAINT fk_decisions_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);
INSERT INTO "decisions" VALUES(1,'opening-balance','office','2026-11-20T12:00:00Z','The list of 2025.',NULL,'90000007',NULL,NULL,NULL,NULL,'{}');
CREATE TABLE entries (
	section_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	member_id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	"update" BOOLEAN NOT NULL, 
	floor_request TEXT, 
	fide_rating DOUBLE, 
	CONSTRAINT fk_entries_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
);
INSERT INTO "entries" VALUES(1,1,'90000001','EXAMPLE, PLAYER 1',0,NULL,NULL);
INSERT INTO "entries" VALUES(1,2,'90000002','EXAMPLE, PLAYER 2',0,NULL,NULL);
INSERT INTO "entries" VALUES(1,3,'90000003','EXAMPLE, PLAYER 3',0,NULL,NULL);
INSERT INTO "entries" VALUES(1,4,'90000004','EXAMPLE, PLAYER 4',0,NULL,NULL);
INSERT INTO "entries" VALUES(1,5,'90000005','EXAMPLE, PLAYER 5',0,NULL,NULL);
INSERT INTO "entries" VALUES(1,6,'90000006','EXAMPLE, PLAYER 6',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,1,'90000003','EXAMPLE, PLAYER 3',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,2,'90000005','EXAMPLE, PLAYER 5',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,3,'90000007','EXAMPLE, PLAYER 7',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,4,'90000001','EXAMPLE, PLAYER 1',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,5,'90000002','EXAMPLE, PLAYER 2',0,NULL,NULL);
INSERT INTO "entries" VALUES(2,6,'90000008','EXAMPLE, PLAYER 8',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,1,'90000008','EXAMPLE, PLAYER 8',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,2,'90000006','EXAMPLE, PLAYER 6',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,3,'90000004','EXAMPLE, PLAYER 4',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,4,'90000002','EXAMPLE, PLAYER 2',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,5,'90000001','EXAMPLE, PLAYER 1',0,NULL,NULL);
INSERT INTO "entries" VALUES(3,6,'90000003','EXAMPLE, PLAYER 3',0,NULL,NULL);
CREATE TABLE events (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	start DATE, 
	"end" DATE, 
	city TEXT NOT NULL, 
	state TEXT NOT NULL, 
	country TEXT NOT NULL, 
	affiliate TEXT NOT NULL, 
	chief_td TEXT NOT NULL, 
	submission_id INTEGER NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (id), 
	CONSTRAINT fk_events_submission_id_submissions FOREIGN KEY(submission_id) REFERENCES submissions (id)
);
INSERT INTO "events" VALUES('202601030001','EXAMPLE OPEN','2026-01-03','2026-01-03','','','','','',1);
INSERT INTO "events" VALUES('202601170001','EXAMPLE OPEN','2026-01-17','2026-01-17','','','','','',2);
INSERT INTO "events" VALUES('202601100001','EXAMPLE OPEN','2026-01-10','2026-01-10','','','','','',3);
CREATE TABLE external_ratings (
	member_id TEXT NOT NULL, 
	source TEXT NOT NULL, 
	list_date DATE NOT NULL, 
	rating DOUBLE NOT NULL, 
	CONSTRAINT fk_external_ratings_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);
INSERT INTO "external_ratings" VALUES('90000002','fide','2025-12-01',1823.0);
CREATE TABLE findings (
	id INTEGER NOT NULL, 
	submission_id INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	severity TEXT NOT NULL, 
	place TEXT NOT NULL, 
	message TEXT NOT NULL, 
	remedy TEXT NOT NULL, 
	accepted_by TEXT, 
	accepted_at TEXT, 
	CONSTRAINT pk_findings PRIMARY KEY (id), 
	CONSTRAINT fk_findings_submission_id_submissions FOREIGN KEY(submission_id) REFERENCES submissions (id)
);
INSERT INTO "findings" VALUES(1,4,'member-unknown','error','player 90000020 (EXAMPLE, PLAYER 20)','The book has no member of this id.','Perhaps 90000002 (EXAMPLE, PLAYER 2), 90000008 (EXAMPLE, PLAYER 8), 90000007 (EXAMPLE, PLAYER 7) is meant; correct the id, or add the member with ratebook book import members.',NULL,NULL);
INSERT INTO "findings" VALUES(2,4,'unrated-without-birth-date','warning','section 1, seat 6','Unrated players without any other rating have no birth date, on which their initial rating rests.','Give the birth date, or say whether the player is an adult.','office','2026-11-20T12:00:00Z');
CREATE TABLE games (
	section_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	result TEXT NOT NULL, 
	opponent INTEGER, 
	colour TEXT NOT NULL, 
	CONSTRAINT fk_games_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
);
INSERT INTO "games" VALUES(1,1,1,'W',4,'');
INSERT INTO "games" VALUES(1,1,2,'W',2,'');
INSERT INTO "games" VALUES(1,1,3,'D',3,'');
INSERT INTO "games" VALUES(1,2,1,'W',5,'');
INSERT INTO "games" VALUES(1,2,2,'L',1,'');
INSERT INTO "games" VALUES(1,2,3,'H',NULL,'');
INSERT INTO "games" VALUES(1,3,1,'D',6,'');
INSERT INTO "games" VALUES(1,3,2,'W',5,'');
INSERT INTO "games" VALUES(1,3,3,'D',1,'');
INSERT INTO "games" VALUES(1,4,1,'L',1,'');
INSERT INTO "games" VALUES(1,4,2,'W',6,'');
INSERT INTO "games" VALUES(1,4,3,'W',5,'');
INSERT INTO "games" VALUES(1,5,1,'L',2,'');
INSERT INTO "games" VALUES(1,5,2,'L',3,'');
INSERT INTO "games" VALUES(1,5,3,'L',4,'');
INSERT INTO "games" VALUES(1,6,1,'D',3,'');
INSERT INTO "games" VALUES(1,6,2,'L',4,'');
INSERT INTO "games" VALUES(1,6,3,'B',NULL,'');
INSERT INTO "games" VALUES(2,1,1,'W',4,'');
INSERT INTO "games" VALUES(2,1,2,'W',2,'');
INSERT INTO "games" VALUES(2,1,3,'D',3,'');
INSERT INTO "games" VALUES(2,2,1,'W',5,'');
INSERT INTO "games" VALUES(2,2,2,'L',1,'');
INSERT INTO "games" VALUES(2,2,3,'H',NULL,'');
INSERT INTO "games" VALUES(2,3,1,'D',6,'');
INSERT INTO "games" VALUES(2,3,2,'W',5,'');
INSERT INTO "games" VALUES(2,3,3,'D',1,'');
INSERT INTO "games" VALUES(2,4,1,'L',1,'');
INSERT INTO "games" VALUES(2,4,2,'W',6,'');
INSERT INTO "games" VALUES(2,4,3,'W',5,'');
INSERT INTO "games" VALUES(2,5,1,'L',2,'');
INSERT INTO "games" VALUES(2,5,2,'L',3,'');
INSERT INTO "games" VALUES(2,5,3,'L',4,'');
INSERT INTO "games" VALUES(2,6,1,'D',3,'');
INSERT INTO "games" VALUES(2,6,2,'L',4,'');
INSERT INTO "games" VALUES(2,6,3,'B',NULL,'');
INSERT INTO "games" VALUES(3,1,1,'W',4,'');
INSERT INTO "games" VALUES(3,1,2,'W',2,'');
INSERT INTO "games" VALUES(3,1,3,'D',3,'');
INSERT INTO "games" VALUES(3,2,1,'W',5,'');
INSERT INTO "games" VALUES(3,2,2,'L',1,'');
INSERT INTO "games" VALUES(3,2,3,'H',NULL,'');
INSERT INTO "games" VALUES(3,3,1,'D',6,'');
INSERT INTO "games" VALUES(3,3,2,'W',5,'');
INSERT INTO "games" VALUES(3,3,3,'D',1,'');
INSERT INTO "games" VALUES(3,4,1,'L',1,'');
INSERT INTO "games" VALUES(3,4,2,'W',6,'');
INSERT INTO "games" VALUES(3,4,3,'W',5,'');
INSERT INTO "games" VALUES(3,5,1,'L',2,'');
INSERT INTO "games" VALUES(3,5,2,'L',3,'');
INSERT INTO "games" VALUES(3,5,3,'L',4,'');
INSERT INTO "games" VALUES(3,6,1,'D',3,'');
INSERT INTO "games" VALUES(3,6,2,'L',4,'');
INSERT INTO "games" VALUES(3,6,3,'B',NULL,'');
CREATE TABLE ledger (
	id INTEGER NOT NULL, 
	posting_id INTEGER NOT NULL, 
	section_id INTEGER NOT NULL, 
	member_id TEXT NOT NULL, 
	system TEXT NOT NULL, 
	place TEXT NOT NULL, 
	source TEXT NOT NULL, 
	rating_before DOUBLE NOT NULL, 
	games_before DOUBLE, 
	rating DOUBLE NOT NULL, 
	games DOUBLE, 
	wins INTEGER, 
	draws INTEGER, 
	losses INTEGER, 
	record TEXT, 
	long_events INTEGER, 
	peak DOUBLE, 
	life_master_games INTEGER, 
	floors TEXT NOT NULL, 
	match_change DOUBLE, 
	played INTEGER NOT NULL, 
	formula TEXT NOT NULL, 
	effective_games DOUBLE NOT NULL, 
	k DOUBLE, 
	score DOUBLE NOT NULL, 
	expected DOUBLE NOT NULL, 
	bonus DOUBLE, 
	step3 DOUBLE, 
	step4 DOUBLE, 
	step5 DOUBLE NOT NULL, 
	floor_applied DOUBLE, 
	superseded_by INTEGER, 
	CONSTRAINT pk_ledger PRIMARY KEY (id), 
	CONSTRAINT fk_ledger_posting_id_postings FOREIGN KEY(posting_id) REFERENCES postings (id), 
	CONSTRAINT fk_ledger_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id), 
	CONSTRAINT fk_ledger_member_id_members FOREIGN KEY(member_id) REFERENCES members (id), 
	CONSTRAINT fk_ledger_superseded_by_postings FOREIGN KEY(superseded_by) REFERENCES postings (id)
);
INSERT INTO "ledger" VALUES(1,1,1,'90000001','regular','2026-01-03	202601030001	00001','age',1300.0,0.0,1.76770833333333325749e+03,3.0,2,1,0,'mixed',1,NULL,0,'',NULL,3,'special',0.0,NULL,2.5,2.5,NULL,1620.75,1.79433333333333325755e+03,1.76770833333333325749e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(2,1,1,'90000002','regular','2026-01-03	202601030001	00001','fide',1783.0,5.0,1.7182222222222223991e+03,7.0,1,0,1,'mixed',0,NULL,0,'',NULL,2,'special',5.0,NULL,1.0,1.40486111111111133809e+00,NULL,NULL,1.68929166666666628771e+03,1.7182222222222223991e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(3,1,1,'90000003','regular','2026-01-03	202601030001	00001','age',1300.0,0.0,1.4971666666666665151e+03,3.0,1,2,0,'mixed',1,NULL,0,'',NULL,3,'special',0.0,NULL,2.0,1.99999999999999977795e+00,NULL,1400.0,1.40691666666666674243e+03,1.4971666666666665151e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(4,1,1,'90000004','regular','2026-01-03	202601030001	00001','age',1300.0,0.0,1.4971666666666665151e+03,3.0,2,0,1,'mixed',1,NULL,0,'',NULL,3,'special',0.0,NULL,2.0,1.99999999999999977795e+00,NULL,1400.0,1.40691666666666674243e+03,1.4971666666666665151e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(5,1,1,'90000005','regular','2026-01-03	202601030001	00001','age',1300.0,0.0,1.00691666666666674245e+03,3.0,0,0,3,'losses',1,NULL,0,'',NULL,3,'special',0.0,NULL,0.0,0.0,NULL,1.03333333333333325751e+03,1000.0,1.00691666666666674245e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(6,1,1,'90000006','regular','2026-01-03	202601030001	00001','age',1300.0,0.0,1.20691666666666674249e+03,2.0,0,1,1,'mixed',0,NULL,0,'',NULL,2,'special',0.0,NULL,0.5,0.5,NULL,1.16666666666666674241e+03,1200.0,1.20691666666666674249e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(7,2,2,'90000003','regular','2026-01-17	202601170001	00001','rated',1.4971666666666665151e+03,3.0,1.66388666324798509777e+03,6.0,3,3,0,'mixed',2,NULL,0,'',NULL,3,'special',3.0,NULL,2.5,1.87480001282005592777e+00,NULL,NULL,1.67189166666666642413e+03,1.66388666324798509777e+03,NULL,5);
INSERT INTO "ledger" VALUES(8,2,2,'90000005','regular','2026-01-17	202601170001	00001','rated',1.00691666666666674245e+03,3.0,1.24117399691358014021e+03,5.0,1,0,4,'mixed',1,NULL,0,'',NULL,2,'special',3.0,NULL,1.0,1.21535011574073925633e-01,NULL,NULL,1.22947916666666651511e+03,1.24117399691358014021e+03,NULL,5);
INSERT INTO "ledger" VALUES(9,2,2,'90000007','regular','2026-01-17	202601170001	00001','rated',1700.25,30.0,1.70114785940142746768e+03,33.0,NULL,NULL,NULL,'mixed',NULL,NULL,NULL,'',NULL,3,'standard',2.00169346093175093415e+01,3.47570175429073486834e+01,2.0,1.97416753608622830284e+00,0.0,NULL,1.69884998290659223127e+03,1.70114785940142746768e+03,NULL,5);
INSERT INTO "ledger" VALUES(10,2,2,'90000001','regular','2026-01-17	202601170001	00001','rated',1.76770833333333325749e+03,3.0,1.7421569701646087651e+03,6.0,4,1,1,'mixed',2,NULL,0,'',NULL,3,'special',3.0,NULL,2.0,2.0958176118827154255e+00,NULL,NULL,1.72908333333333325758e+03,1.7421569701646087651e+03,NULL,5);
INSERT INTO "ledger" VALUES(11,2,2,'90000002','regular','2026-01-17	202601170001	00001','rated',1.7182222222222223991e+03,7.0,1.54849680384621501616e+03,10.0,1,0,4,'mixed',1,NULL,0,'',NULL,3,'special',7.0,NULL,0.0,1.48509741079006629682e+00,NULL,NULL,1.54394598765432101571e+03,1.54849680384621501616e+03,NULL,5);
INSERT INTO "ledger" VALUES(12,2,2,'90000008','regular','2026-01-17	202601170001	00001','age',1300.0,0.0,1.51396665811996263073e+03,2.0,0,1,1,'mixed',0,NULL,0,'',NULL,2,'special',0.0,NULL,0.5,4.99999999999999666933e-01,NULL,1.4559861111111110859e+03,1.53397916666666651506e+03,1.51396665811996263073e+03,NULL,5);
INSERT INTO "ledger" VALUES(13,3,2,'90000003','quick','2026-01-17	202601170001	00001','other-ratings',1497.0,3.0,1.66491618059218058085e+03,6.0,2,1,0,'mixed',1,NULL,0,'',NULL,3,'special',3.0,NULL,2.5,1.8703143227793215253e+00,NULL,NULL,1671.8,1.66491618059218058085e+03,NULL,6);
INSERT INTO "ledger" VALUES(14,3,2,'90000005','quick','2026-01-17	202601170001	00001','other-ratings',1007.0,3.0,1.26046520839633853939e+03,5.0,1,0,1,'mixed',0,NULL,0,'',NULL,2,'special',3.0,NULL,1.0,4.95054685137301664354e-02,NULL,NULL,1229.5,1.26046520839633853939e+03,NULL,6);
INSERT INTO "ledger" VALUES(15,3,2,'90000007','quick','2026-01-17	202601170001	00001','other-ratings',1700.0,10.0,1.70771141766683967949e+03,13.0,1,2,0,'mixed',1,NULL,0,'',NULL,3,'standard',10.0,6.15384615384615400995e+01,2.0,1.87468946291385574198e+00,0.0,NULL,1.69991423629423707092e+03,1.70771141766683967949e+03,NULL,6);
INSERT INTO "ledger" VALUES(16,3,2,'90000001','quick','2026-01-17	202601170001	00001','other-ratings',1768.0,3.0,1.75511013893089238991e+03,6.0,2,0,1,'mixed',1,NULL,0,'',NULL,3,'special',3.0,NULL,2.0,2.04833697900915367995e+00,NULL,NULL,1.7336666666666667425e+03,1.75511013893089238991e+03,NULL,6);
INSERT INTO "ledger" VALUES(17,3,2,'90000002','quick','2026-01-17	202601170001	00001','other-ratings',1745.0,10.0,1.61995949931010727596e+03,13.0,0,0,3,'losses',1,NULL,0,'',NULL,3,'standard',10.0,6.15384615384615400995e+01,0.0,2.03190813621075649919e+00,0.0,NULL,1.62086083358535438495e+03,1.61995949931010727596e+03,NULL,6);
INSERT INTO "ledger" VALUES(18,3,2,'90000008','quick','2026-01-17	202601170001	00001','age',1300.0,0.0,1.516790451480451793e+03,2.0,0,1,1,'mixed',0,NULL,0,'',NULL,2,'special',0.0,NULL,0.5,4.99999999999999666933e-01,NULL,1456.0,1534.0,1.516790451480451793e+03,NULL,6);
INSERT INTO "ledger" VALUES(19,4,3,'90000008','regular','2026-01-10	202601100001	00001','age',1300.0,0.0,1.88278117283950609814e+03,3.0,2,1,0,'mixed',1,NULL,0,'',NULL,3,'special',0.0,NULL,2.5,2.5,NULL,1.63846296296296281983e+03,1.80769444444444434341e+03,1.88278117283950609814e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(20,4,3,'90000006','regular','2026-01-10	202601100001	00001','rated',1.20691666666666674249e+03,2.0,1.41060821759259260948e+03,4.0,1,1,2,'mixed',0,NULL,0,'',NULL,2,'special',2.0,NULL,1.0,4.90771122685185579026e-01,NULL,NULL,1.45500115740740739054e+03,1.41060821759259260948e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(21,4,3,'90000004','regular','2026-01-10	202601100001	00001','rated',1.4971666666666665151e+03,3.0,1.59691288580246896341e+03,6.0,3,2,1,'mixed',2,NULL,0,'',NULL,3,'special',3.0,NULL,2.0,1.62595167824074060547e+00,NULL,NULL,1.63247299382716028054e+03,1.59691288580246896341e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(22,4,3,'90000002','regular','2026-01-10	202601100001	00001','rated',1.7182222222222223991e+03,7.0,1.71175328703703712564e+03,10.0,3,0,2,'mixed',1,NULL,0,'',NULL,3,'special',7.0,NULL,2.0,2.05660318287037124918e+00,NULL,NULL,1.73308935185185191592e+03,1.71175328703703712564e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(23,4,3,'90000001','regular','2026-01-10	202601100001	00001','rated',1.76770833333333325749e+03,3.0,1.4872814171810698554e+03,6.0,2,1,3,'mixed',2,NULL,0,'',NULL,3,'special',3.0,NULL,0.0,1.05160093557098743843e+00,NULL,NULL,1.42090509259259238205e+03,1.4872814171810698554e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(24,4,3,'90000003','regular','2026-01-10	202601100001	00001','rated',1.4971666666666665151e+03,3.0,1.49141246913580243927e+03,5.0,1,3,1,'mixed',1,NULL,0,'',NULL,2,'special',3.0,NULL,0.5,5.21578240740740883829e-01,NULL,NULL,1.46137777777777773738e+03,1.49141246913580243927e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(25,5,2,'90000003','regular','2026-01-17	202601170001	00001','rated',1.49141246913580243927e+03,5.0,1.6004255331253498298e+03,8.0,3,4,1,'mixed',2,NULL,0,'',NULL,3,'special',5.0,NULL,2.5,1.81866835006533023033e+00,NULL,NULL,1.57779910898001185159e+03,1.6004255331253498298e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(26,5,2,'90000005','regular','2026-01-17	202601170001	00001','rated',1.00691666666666674245e+03,3.0,1.23394895615294785784e+03,5.0,1,0,4,'mixed',1,NULL,0,'',NULL,2,'special',3.0,NULL,1.0,1.48628914426444380669e-01,NULL,NULL,1.22804061728395072354e+03,1.23394895615294785784e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(27,5,2,'90000007','regular','2026-01-17	202601170001	00001','rated',1700.25,30.0,1.70491765182105405075e+03,33.0,NULL,NULL,NULL,'mixed',NULL,NULL,NULL,'',NULL,3,'standard',2.00169346093175093415e+01,3.47570175429073486834e+01,2.0,1.86570620406967169202e+00,0.0,NULL,1.71723069847330498307e+03,1.70491765182105405075e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(28,5,2,'90000001','regular','2026-01-17	202601170001	00001','rated',1.4872814171810698554e+03,6.0,1.57331758566567532402e+03,9.0,4,1,4,'mixed',3,NULL,0,'',NULL,3,'special',6.0,NULL,2.0,1.35472873636546031761e+00,NULL,NULL,1.60107060356652959858e+03,1.57331758566567532402e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(29,5,2,'90000002','regular','2026-01-17	202601170001	00001','rated',1.71175328703703712564e+03,10.0,1.58325753953577486759e+03,13.0,3,0,5,'mixed',2,NULL,0,'',NULL,3,'standard',10.0,6.15384615384615400995e+01,0.0,2.08805589689550963328e+00,0.0,NULL,1.57119567178472834718e+03,1.58325753953577486759e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(30,5,2,'90000008','regular','2026-01-17	202601170001	00001','rated',1.88278117283950609814e+03,3.0,1.71332896411167052977e+03,5.0,2,2,1,'mixed',1,NULL,0,'',NULL,2,'special',3.0,NULL,0.5,1.13544578272938312402e+00,NULL,NULL,1.68717498713991744807e+03,1.71332896411167052977e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(31,6,2,'90000003','quick','2026-01-17	202601170001	00001','other-ratings',1491.0,5.0,1.60384489329077791807e+03,8.0,2,1,0,'mixed',1,NULL,0,'',NULL,3,'special',5.0,NULL,2.5,1.79471941693263969952e+00,NULL,NULL,1.57742857142857133114e+03,1.60384489329077791807e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(32,6,2,'90000005','quick','2026-01-17	202601170001	00001','other-ratings',1007.0,3.0,1.23786335201271367625e+03,5.0,1,0,1,'mixed',0,NULL,0,'',NULL,2,'special',3.0,NULL,1.0,1.34262429952325124116e-01,NULL,NULL,1228.0,1.23786335201271367625e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(33,6,2,'90000007','quick','2026-01-17	202601170001	00001','other-ratings',1700.0,10.0,1.70985269376657674908e+03,13.0,1,2,0,'mixed',1,NULL,0,'',NULL,3,'standard',10.0,6.15384615384615400995e+01,2.0,1.83989372629312608609e+00,0.0,NULL,1.74431470188177763702e+03,1.70985269376657674908e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(34,6,2,'90000001','quick','2026-01-17	202601170001	00001','other-ratings',1487.0,6.0,1.57527964000706288067e+03,9.0,2,0,1,'mixed',1,NULL,0,'',NULL,3,'special',6.0,NULL,2.0,1.33790269994702670786e+00,NULL,NULL,1.60344444444444434337e+03,1.57527964000706288067e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(35,6,2,'90000002','quick','2026-01-17	202601170001	00001','other-ratings',1735.0,10.0,1.60477728775245395806e+03,13.0,0,0,3,'losses',1,NULL,0,'',NULL,3,'standard',10.0,6.15384615384615400995e+01,0.0,2.11611907402262300337e+00,0.0,NULL,1.5908881886349959131e+03,1.60477728775245395806e+03,NULL,NULL);
INSERT INTO "ledger" VALUES(36,6,2,'90000008','quick','2026-01-17	202601170001	00001','other-ratings',1883.0,3.0,1.71935182926524430515e+03,5.0,0,1,1,'mixed',0,NULL,0,'',NULL,2,'special',3.0,NULL,0.5,1.11368064025533319849e+00,NULL,NULL,1687.2,1.71935182926524430515e+03,NULL,NULL);
CREATE TABLE members (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	folded_name TEXT NOT NULL, 
	birth_date DATE, 
	adult BOOLEAN, 
	state TEXT NOT NULL, 
	canadian_resident BOOLEAN NOT NULL, 
	usa_flag BOOLEAN NOT NULL, 
	fide_opt_in BOOLEAN NOT NULL, 
	merged_into TEXT, 
	erased_at TEXT, 
	CONSTRAINT pk_members PRIMARY KEY (id), 
	CONSTRAINT fk_members_merged_into_members FOREIGN KEY(merged_into) REFERENCES members (id)
);
INSERT INTO "members" VALUES('90000001','EXAMPLE, PLAYER 1','player 1 example','1961-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000002','EXAMPLE, PLAYER 2','player 2 example','1962-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000003','EXAMPLE, PLAYER 3','player 3 example','1963-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000004','EXAMPLE, PLAYER 4','player 4 example','1964-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000005','EXAMPLE, PLAYER 5','player 5 example','1965-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000006','EXAMPLE, PLAYER 6','player 6 example','1966-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000007','EXAMPLE, PLAYER 7','player 7 example','1967-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000008','EXAMPLE, PLAYER 8','player 8 example','1968-01-01',NULL,'',0,0,0,NULL,NULL);
INSERT INTO "members" VALUES('90000000','EXAMPLE, ÉLODIE','elodie example','1990-02-28',NULL,'',0,0,0,'90000008',NULL);
CREATE TABLE memberships (
	id INTEGER NOT NULL, 
	member_id TEXT NOT NULL, 
	starts DATE NOT NULL, 
	expires DATE NOT NULL, 
	CONSTRAINT pk_memberships PRIMARY KEY (id), 
	CONSTRAINT fk_memberships_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);
INSERT INTO "memberships" VALUES(1,'90000001','2026-01-01','2026-12-31');
CREATE TABLE norms (
	member_id TEXT NOT NULL, 
	section_id INTEGER NOT NULL, 
	place TEXT NOT NULL, 
	level INTEGER NOT NULL, 
	score DOUBLE NOT NULL, 
	expected DOUBLE NOT NULL, 
	played INTEGER NOT NULL, 
	CONSTRAINT fk_norms_member_id_members FOREIGN KEY(member_id) REFERENCES members (id), 
	CONSTRAINT fk_norms_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id)
);
CREATE TABLE opening_balances (
	member_id TEXT NOT NULL, 
	system TEXT NOT NULL, 
	as_of DATE NOT NULL, 
	rating DOUBLE NOT NULL, 
	games DOUBLE, 
	wins INTEGER, 
	draws INTEGER, 
	losses INTEGER, 
	record TEXT, 
	long_events INTEGER, 
	peak DOUBLE, 
	life_master_games INTEGER, 
	floors TEXT NOT NULL, 
	decision_id INTEGER NOT NULL, 
	CONSTRAINT fk_opening_balances_member_id_members FOREIGN KEY(member_id) REFERENCES members (id), 
	CONSTRAINT fk_opening_balances_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)
);
INSERT INTO "opening_balances" VALUES('90000007','regular','2025-12-31',1700.25,30.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'[]',1);
CREATE TABLE postings (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	section_id INTEGER NOT NULL, 
	system TEXT NOT NULL, 
	place TEXT NOT NULL, 
	dual_rated BOOLEAN NOT NULL, 
	withdrawn BOOLEAN NOT NULL, 
	rules TEXT, 
	input_hash TEXT NOT NULL, 
	superseded_by INTEGER, 
	CONSTRAINT pk_postings PRIMARY KEY (id), 
	CONSTRAINT fk_postings_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT fk_postings_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id), 
	CONSTRAINT fk_postings_rules_rule_sets FOREIGN KEY(rules) REFERENCES rule_sets (fingerprint), 
	CONSTRAINT fk_postings_superseded_by_postings FOREIGN KEY(superseded_by) REFERENCES postings (id)
);
INSERT INTO "postings" VALUES(1,1,1,'regular','2026-01-03	202601030001	00001',0,0,'52d53b3d265e3671','3e8f6e86edffac47935ebe5ab380eb1a',NULL);
INSERT INTO "postings" VALUES(2,1,2,'regular','2026-01-17	202601170001	00001',1,0,'52d53b3d265e3671','7641fe8244475592941e8489b9998ec5',5);
INSERT INTO "postings" VALUES(3,1,2,'quick','2026-01-17	202601170001	00001',1,0,'55943c459faf237d','0c424bdb3f0535c18a53d53e10d8a079',6);
INSERT INTO "postings" VALUES(4,2,3,'regular','2026-01-10	202601100001	00001',0,0,'52d53b3d265e3671','5e7053395c14cea71937c2ec94c2bdc8',NULL);
INSERT INTO "postings" VALUES(5,3,2,'regular','2026-01-17	202601170001	00001',1,0,'52d53b3d265e3671','ef931e58633a374ecf20011debd7b3a4',NULL);
INSERT INTO "postings" VALUES(6,3,2,'quick','2026-01-17	202601170001	00001',1,0,'55943c459faf237d','6d1634f9eb987cf21388851be7f8bdc9',NULL);
CREATE TABLE published_lists (
	id TEXT NOT NULL, 
	cut_off DATE NOT NULL, 
	published_by TEXT NOT NULL, 
	published_at TEXT NOT NULL, 
	least_games INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	CONSTRAINT pk_published_lists PRIMARY KEY (id)
);
INSERT INTO "published_lists" VALUES('2026-02','2026-01-21','office','2026-11-20T12:00:00Z',4,'7e53b6b676b329ddb4ed47082b613ebe40f8241011c125173aa7b4be5b3fcd52');
CREATE TABLE published_ratings (
	list_id TEXT NOT NULL, 
	member_id TEXT NOT NULL, 
	system TEXT NOT NULL, 
	rating INTEGER NOT NULL, 
	provisional_games INTEGER, 
	CONSTRAINT fk_published_ratings_list_id_published_lists FOREIGN KEY(list_id) REFERENCES published_lists (id), 
	CONSTRAINT fk_published_ratings_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);
INSERT INTO "published_ratings" VALUES('2026-02','90000001','regular',1573,9);
INSERT INTO "published_ratings" VALUES('2026-02','90000002','regular',1583,13);
INSERT INTO "published_ratings" VALUES('2026-02','90000003','regular',1600,8);
INSERT INTO "published_ratings" VALUES('2026-02','90000004','regular',1597,6);
INSERT INTO "published_ratings" VALUES('2026-02','90000005','regular',1234,5);
INSERT INTO "published_ratings" VALUES('2026-02','90000006','regular',1411,4);
INSERT INTO "published_ratings" VALUES('2026-02','90000007','regular',1705,NULL);
INSERT INTO "published_ratings" VALUES('2026-02','90000008','regular',1713,5);
INSERT INTO "published_ratings" VALUES('2026-02','90000001','quick',1575,9);
INSERT INTO "published_ratings" VALUES('2026-02','90000002','quick',1605,13);
INSERT INTO "published_ratings" VALUES('2026-02','90000003','quick',1604,8);
INSERT INTO "published_ratings" VALUES('2026-02','90000005','quick',1238,5);
INSERT INTO "published_ratings" VALUES('2026-02','90000007','quick',1710,13);
INSERT INTO "published_ratings" VALUES('2026-02','90000008','quick',1719,5);
CREATE TABLE rerate_marks (
	id INTEGER NOT NULL, 
	place TEXT NOT NULL, 
	member_id TEXT, 
	section_id INTEGER, 
	reason TEXT NOT NULL, 
	done_by INTEGER, 
	CONSTRAINT pk_rerate_marks PRIMARY KEY (id), 
	CONSTRAINT fk_rerate_marks_member_id_members FOREIGN KEY(member_id) REFERENCES members (id), 
	CONSTRAINT fk_rerate_marks_section_id_sections FOREIGN KEY(section_id) REFERENCES sections (id), 
	CONSTRAINT fk_rerate_marks_done_by_runs FOREIGN KEY(done_by) REFERENCES runs (id)
);
INSERT INTO "rerate_marks" VALUES(1,'2026-01-10	202601100001	00001','90000003',NULL,'event 202601100001 came late',3);
INSERT INTO "rerate_marks" VALUES(2,'2026-01-10	202601100001	00001','90000001',NULL,'event 202601100001 came late',3);
INSERT INTO "rerate_marks" VALUES(3,'2026-01-10	202601100001	00001','90000002',NULL,'event 202601100001 came late',3);
INSERT INTO "rerate_marks" VALUES(4,'2026-01-10	202601100001	00001','90000008',NULL,'event 202601100001 came late',3);
CREATE TABLE rule_sets (
	fingerprint TEXT NOT NULL, 
	numbers TEXT NOT NULL, 
	CONSTRAINT pk_rule_sets PRIMARY KEY (fingerprint)
);
INSERT INTO "rule_sets" VALUES('52d53b3d265e3671','{"system_exists": 1, "time_control_least": 30, "time_control_most": "unlimited", "main_time_least": 5, "established_above_games": 25, "days_per_year": 365.25, "initial_method": "blend", "initial_priority_1": "fide", "initial_priority_2": "cfc", "initial_priority_3": "quick-from-few-games", "initial_priority_4": "age", "initial_priority_5": "end", "initial_priority_6": "end", "initial_priority_7": "end", "initial_priority_8": "end", "initial_least_games": 4, "initial_most_games": 10, "blend_most_games": 10, "blend_staleness_rate": 0.06, "blend_strength_most": 6, "blend_strength_scale": 350, "blend_factor_regular": 10, "blend_factor_quick": 5, "blend_factor_blitz": 5, "blend_factor_online_regular": 5, "blend_factor_online_quick": 5, "blend_factor_online_blitz": 5, "fide_conversion_low_intercept": -1073, "fide_conversion_low_slope": 1.5667, "fide_conversion_knee": 2000, "fide_conversion_high_intercept": 20, "fide_conversion_high_slope": 1.02, "fide_youth_conversion_low_intercept": -453, "fide_youth_conversion_low_slope": 1.2667, "fide_youth_conversion_knee": 2000, "fide_youth_conversion_high_intercept": 80, "fide_youth_conversion_high_slope": 1, "fide_games_above": 2000, "fide_games_high": 10, "fide_games_low": 5, "cfc_conversion_knees_belong_below": 0, "cfc_conversion_intercept_1": -115, "cfc_conversion_slope_1": 0.815, "cfc_conversion_knee_1": 1150, "cfc_conversion_intercept_2": -650, "cfc_conversion_slope_2": 1.28, "cfc_conversion_knee_2": 1610, "cfc_conversion_intercept_3": -856, "cfc_conversion_slope_3": 1.41, "cfc_conversion_knee_3": 2000, "cfc_conversion_intercept_4": -240, "cfc_conversion_slope_4": 1.1, "cfc_games_above": 0, "cfc_games_high": 5, "cfc_games_low": 5, "cfc_residents_only": 1, "age_rating_offset": 0, "age_rating_slope": 50, "age_rating_least_age": 3, "age_rating_most_age": 26, "age_rating_adult": 1300, "age_rating_default": 750, "age_rating_too_young": "as-missing", "age_rating_plain_least_age": 2, "age_rating_plain_least": 100, "effective_games_most": 50, "effective_games_constant": 0.662, "effective_games_slope": 7.39e-06, "effective_games_centre": 2569, "effective_games_knee": 2355, "newcomer_effective_games": 1, "special_most_games": 8, "special_reach": 400, "special_unbroken_shift": 400, "special_ceiling": 2700, "special_tolerance": 1e-07, "logistic_scale": 400, "k_numerator": 800, "half_k_numerator": "off", "half_k_game_weight": "off", "reduced_k_above": 2200, "reduced_k_intercept": 6.5, "reduced_k_slope": 0.0025, "reduced_k_least_from": 2500, "reduced_k_least_numerator": 200, "bonus_multiplier": 10, "bonus_least_counted_games": 4, "bonus_eligibility_least_games": 3, "bonus_eligibility_most_meetings": 2, "bonus_eligibility_most_meetings_at_least_games": 1, "absolute_floor": 100, "personal_floor_win": 4, "personal_floor_draw": 2, "personal_floor_section": 1, "personal_floor_section_games": 3, "personal_floor_most": 150, "peak_floor_lowest": 1200, "peak_floor_highest": 2100, "peak_floor_drop": 200, "peak_floor_step": 100, "olm_floor_level": 2200, "olm_floor_games": 300, "olm_floor_rating": 2200, "money_floor_prize": 4000, "money_floor_highest": 2000, "money_floor_step": 100, "stored_precision": "float", "stored_precision_tolerance": 1e-06, "match_difference": 400, "match_change": 50, "match_net_short_points": 100, "match_net_short_days": 180, "match_net_long_points": 200, "match_net_long_years": 3, "match_floor_drop": 100, "match_coding_least_games": 2, "foreign_eligibility": "established-member", "foreign_automatic_rating": 2200, "foreign_games_above": 8}');
INSERT INTO "rule_sets" VALUES('55943c459faf237d','{"system_exists": 1, "time_control_least": 11, "time_control_most": 65, "main_time_least": 5, "established_above_games": 25, "days_per_year": 365.25, "initial_method": "blend", "initial_priority_1": "regular-from-few-games", "initial_priority_2": "fide", "initial_priority_3": "cfc", "initial_priority_4": "age", "initial_priority_5": "end", "initial_priority_6": "end", "initial_priority_7": "end", "initial_priority_8": "end", "initial_least_games": 4, "initial_most_games": 10, "blend_most_games": 10, "blend_staleness_rate": 0.06, "blend_strength_most": 6, "blend_strength_scale": 350, "blend_factor_regular": 10, "blend_factor_quick": 5, "blend_factor_blitz": 5, "blend_factor_online_regular": 5, "blend_factor_online_quick": 5, "blend_factor_online_blitz": 5, "fide_conversion_low_intercept": -1073, "fide_conversion_low_slope": 1.5667, "fide_conversion_knee": 2000, "fide_conversion_high_intercept": 20, "fide_conversion_high_slope": 1.02, "fide_youth_conversion_low_intercept": -453, "fide_youth_conversion_low_slope": 1.2667, "fide_youth_conversion_knee": 2000, "fide_youth_conversion_high_intercept": 80, "fide_youth_conversion_high_slope": 1, "fide_games_above": 2000, "fide_games_high": 10, "fide_games_low": 5, "cfc_conversion_knees_belong_below": 0, "cfc_conversion_intercept_1": -115, "cfc_conversion_slope_1": 0.815, "cfc_conversion_knee_1": 1150, "cfc_conversion_intercept_2": -650, "cfc_conversion_slope_2": 1.28, "cfc_conversion_knee_2": 1610, "cfc_conversion_intercept_3": -856, "cfc_conversion_slope_3": 1.41, "cfc_conversion_knee_3": 2000, "cfc_conversion_intercept_4": -240, "cfc_conversion_slope_4": 1.1, "cfc_games_above": 0, "cfc_games_high": 5, "cfc_games_low": 5, "cfc_residents_only": 1, "age_rating_offset": 0, "age_rating_slope": 50, "age_rating_least_age": 3, "age_rating_most_age": 26, "age_rating_adult": 1300, "age_rating_default": 750, "age_rating_too_young": "as-missing", "age_rating_plain_least_age": 2, "age_rating_plain_least": 100, "effective_games_most": 50, "effective_games_constant": 0.662, "effective_games_slope": 7.39e-06, "effective_games_centre": 2569, "effective_games_knee": 2355, "newcomer_effective_games": 1, "special_most_games": 8, "special_reach": 400, "special_unbroken_shift": 400, "special_ceiling": 2700, "special_tolerance": 1e-07, "logistic_scale": 400, "k_numerator": 800, "half_k_numerator": "off", "half_k_game_weight": "off", "reduced_k_above": "off", "reduced_k_intercept": "off", "reduced_k_slope": "off", "reduced_k_least_from": "off", "reduced_k_least_numerator": "off", "bonus_multiplier": 10, "bonus_least_counted_games": 4, "bonus_eligibility_least_games": 3, "bonus_eligibility_most_meetings": 2, "bonus_eligibility_most_meetings_at_least_games": 1, "absolute_floor": 100, "personal_floor_win": 4, "personal_floor_draw": 2, "personal_floor_section": 1, "personal_floor_section_games": 3, "personal_floor_most": 150, "peak_floor_lowest": 1200, "peak_floor_highest": 2100, "peak_floor_drop": 200, "peak_floor_step": 100, "olm_floor_level": "off", "olm_floor_games": "off", "olm_floor_rating": "off", "money_floor_prize": 4000, "money_floor_highest": 2000, "money_floor_step": 100, "stored_precision": "float", "stored_precision_tolerance": 1e-06, "match_difference": 400, "match_change": 50, "match_net_short_points": 100, "match_net_short_days": 180, "match_net_long_points": 200, "match_net_long_years": 3, "match_floor_drop": 100, "match_coding_least_games": 2, "foreign_eligibility": "established-member", "foreign_automatic_rating": 2200, "foreign_games_above": 8}');
CREATE TABLE rulebooks (
	id INTEGER NOT NULL, 
	fingerprint TEXT NOT NULL, 
	timeline TEXT NOT NULL, 
	overlay TEXT NOT NULL, 
	adopted_at TEXT NOT NULL, 
	CONSTRAINT pk_rulebooks PRIMARY KEY (id), 
	CONSTRAINT uq_rulebooks_fingerprint UNIQUE (fingerprint)
);
INSERT INTO "rulebooks" VALUES(1,'beda3a1b7270414c','{"documents.toml":{"R95":{"title":"Report of the USCF Ratings Committee, August 1995","date":"1995-08","what":"Conversions, scholastic K, the prison floor, Glicko and the programme for a new rating program; before the timeline."},"A01":{"title":"Approximating Formulas for the USCF Rating System","date":"2001-02-22","what":"A rough guide to the system that began in 2001: formulas, half K, bonus and floors."},"J15":{"title":"The USCF Rating System, January 2015","date":"2015-01-07","what":"Specification of five systems: priority lists, effective games of 2013, B = 10."},"N15":{"title":"The US Chess Rating system, June 2015","date":"2015-06-01","what":"The same specification with B = 12 and a corrected section 6."},"E20":{"title":"The US Chess Rating system, September 2020","date":"2020-09-02","what":"Public edition of the same specification: six systems, blended initial ratings, B = 14."},"D25":{"title":"The US Chess Rating system, February 2025","date":"2025-02-10","what":"Specification of six systems; the only edition of the five sources with dated historical changes (section 8)."},"E25":{"title":"The US Chess Rating system, July 2025","date":"2025-07-26","what":"Public edition of the same specification: B = 10 from 2025, the special formula starts at the adjusted rating."},"OUTSIDE":{"title":"Facts from other public pages","date":"","what":"Older specifications, committee reports, announcements of the office; collected and graded by this project."},"RULINGS":{"title":"Rulings: how this project reads the rules","date":"","what":"Decides where the documents disagree, are silent or are wrong."}},"systems.toml":{"system_exists":{"what":"Whether the system rates sections: 1 yes, 0 not yet.","unit":"yes (1) or no (0)","values":[{"from":"2001-01-01","is":1,"systems":["regular","quick"],"document":"D25","where":"section 8, opening and 2002-??-??","status":"documented"},{"from":"2001-01-01","is":0,"systems":["blitz","online-regular","online-quick","online-blitz"],"document":"D25","where":"section 8","status":"documented"},{"from":"2013-03-01","is":1,"systems":["blitz"],"document":"D25","where":"section 8, 2013-03-01","status":"documented"},{"from":"2014-10-01","is":1,"systems":["online-blitz"],"document":"D25","where":"section 8, 2014-10-01","status":"documented"},{"from":"2015-03-01","is":1,"systems":["online-quick"],"document":"D25","where":"section 8, 2015-03-01","status":"documented","note":"J15 already lists online Quick in January 2015; the date of D25 is kept."},{"from":"2020-06-01","is":1,"systems":["online-regular"],"document":"D25","where":"section 8, 2020-06-01","status":"documented","note":"The announcement says that online Regular ratings started on 2020-06-12 (OUTSIDE section 7); the date of D25 is kept."}]}},"time_controls.toml":{"time_control":{"what":"The least and the most T that the system rates, both included; a section in two ranges is dual-rated.","unit":"minutes (T)","values":[{"from":"2001-01-01","is":{"least":30,"most":"unlimited"},"systems":["regular"],"document":"D25","where":"footnote 1","status":"documented"},{"from":"2001-01-01","is":{"least":10,"most":29},"systems":["quick"],"document":"RULINGS","where":"section 2, time control classes","status":"inferred","note":"Before dual rating Quick ends where Regular begins; before 2004 it began at T = 10."},{"from":"2002-01-01","is":{"least":10,"most":60},"systems":["quick"],"document":"D25","where":"section 8, 2002-??-??","status":"inferred","note":"Dual rating to T = 60; D25 gives the year only, the day is our reading."},{"from":"2004-01-01","is":{"least":5,"most":60},"systems":["quick"],"document":"D25","where":"section 8, 2004-??-??","status":"inferred","note":"Quick from T = 5; D25 gives the year only, the day is our reading."},{"from":"2013-03-01","is":{"least":11,"most":65},"systems":["quick"],"document":"D25","where":"section 8, 2013-03-01 and 20??-??-??; footnote 1","status":"inferred","note":"D25 dates OTB Blitz and the new Quick range; for dual rating to T = 65 it says 20??, the day is our reading. J15 and N15 put G/10+0 in both Blitz and Quick; D25 puts T = 10 in Blitz only."},{"from":"2001-01-01","is":"off","systems":["blitz","online-regular","online-quick","online-blitz"],"document":"D25","where":"section 8","status":"documented"},{"from":"2013-03-01","is":{"least":5,"most":10},"systems":["blitz"],"document":"D25","where":"section 8, 2013-03-01; footnote 1","status":"documented"},{"from":"2014-10-01","is":{"least":5,"most":10},"systems":["online-blitz"],"document":"D25","where":"section 8, 2014-10-01; footnote 1","status":"documented"},{"from":"2015-03-01","is":{"least":11,"most":65},"systems":["online-quick"],"document":"J15","where":"opening paragraph","status":"inferred","note":"J15 gives both Quick systems G/10+0 to G/60+5; T = 10 is Blitz only. Longer online games were not ratable."},{"from":"2020-06-01","is":{"least":11,"most":29},"systems":["online-quick"],"document":"D25","where":"footnote 1; section 8, 2020-06-01","status":"documented","note":"The overlap with Regular is an OTB notion: footnote 1 names the OTBQ ratings only."},{"from":"2020-06-01","is":{"least":30,"most":"unlimited"},"systems":["online-regular"],"document":"D25","where":"footnote 1; section 8, 2020-06-01","status":"documented"}]},"main_time_least":{"what":"The least main time of the first control; a shorter one is a warning and is still rated.","unit":"minutes","values":[{"from":"2001-01-01","is":5,"systems":["regular","quick","online-regular","online-quick"],"document":"RULINGS","where":"section 2, time control classes","status":"inferred","note":"The rulebook of today (rule 5C); its first day is not known, and it changes no rating."},{"from":"2001-01-01","is":3,"systems":["blitz","online-blitz"],"document":"RULINGS","where":"section 2, time control classes","status":"inferred","note":"The rulebook of today (rule 5C, one secondary source); its first day is not known, and it changes no rating."}]}},"terms.toml":{"established_above_games":{"what":"A rating is established when it is based on more games than this.","unit":"games","values":[{"from":"2001-01-01","is":25,"document":"A01","where":"Provisional and established ratings","status":"documented"}]},"days_per_year":{"what":"Days in a year, for ages and for the staleness of ratings.","unit":"days","values":[{"from":"2001-01-01","is":365.25,"document":"J15","where":"section 2.6","status":"inferred","note":"The pages of 2001 to 2006 do not say how an age is counted."},{"from":"2015-01-07","is":365.25,"document":"J15","where":"section 2.6","status":"documented"}]}},"initial_rating.toml":{"initial_method":{"what":"How Step 1 finds an initial rating: the first source of a priority list, or a weighted blend of all sources.","unit":"variant","values":[{"from":"2001-01-01","is":"priority-lists","document":"RULINGS","where":"section 2, initial rating","status":"inferred","note":"The lists of 2015 for the systems that existed; OUTSIDE section 2 confirms FIDE and CFC for 2004."},{"from":"2015-01-07","is":"priority-lists","document":"J15","where":"section 2","status":"documented"},{"from":"2020-06-01","is":"blend","document":"D25","where":"section 2; section 8, 2020-06-01","status":"documented"}]},"initial_priority":{"what":"The sources of an initial rating in the order in which they are tried; without any, the default of the age-based rating.","unit":"sources in order","values":[{"from":"2001-01-01","is":["fide","cfc","quick-from-few-games","age"],"systems":["regular"],"document":"J15","where":"section 2.1","status":"inferred","note":"The list of 2015; no list of an earlier date is known."},{"from":"2001-01-01","is":["regular-from-few-games","fide","cfc","age"],"systems":["quick"],"document":"J15","where":"section 2.2","status":"inferred","note":"The list of 2015; no list of an earlier date is known."},{"from":"2001-01-01","is":["regular-established","fide","cfc","regular-from-few-games","quick-from-few-games","age"],"systems":["blitz"],"document":"J15","where":"section 2.3","status":"inferred","note":"The list of 2015; no list of an earlier date is known."},{"from":"2001-01-01","is":["online-blitz-in-full","quick","blitz","regular","fide","cfc","age"],"systems":["online-quick"],"document":"J15","where":"section 2.4","status":"inferred","note":"The list of 2015; no list of an earlier date is known."},{"from":"2001-01-01","is":["online-quick","blitz","quick","regular","fide","cfc","age"],"systems":["online-blitz"],"document":"J15","where":"section 2.5","status":"inferred","note":"The list of 2015; no list of an earlier date is known."},{"from":"2001-01-01","is":["age"],"systems":["online-regular"],"document":"RULINGS","where":"section 2, initial rating","status":"inferred","note":"Online Regular did not exist while the lists were used."},{"from":"2015-01-07","is":["fide","cfc","quick-from-few-games","age"],"systems":["regular"],"document":"J15","where":"section 2.1","status":"documented"},{"from":"2015-01-07","is":["regular-from-few-games","fide","cfc","age"],"systems":["quick"],"document":"J15","where":"section 2.2","status":"documented"},{"from":"2015-01-07","is":["regular-established","fide","cfc","regular-from-few-games","quick-from-few-games","age"],"systems":["blitz"],"document":"J15","where":"section 2.3","status":"documented"},{"from":"2015-01-07","is":["online-blitz-in-full","quick","blitz","regular","fide","cfc","age"],"systems":["online-quick"],"document":"J15","where":"section 2.4","status":"documented"},{"from":"2015-01-07","is":["online-quick","blitz","quick","regular","fide","cfc","age"],"systems":["online-blitz"],"document":"J15","where":"section 2.5","status":"documented","note":"An online Quick rating counts no games here, an online Blitz rating counts 10 games in section 2.4; the asymmetry is the document''s."}]},"initial_least_games":{"what":"The least games that a Regular or Quick rating of few games must rest on before a priority list uses it.","unit":"games","values":[{"from":"2001-01-01","is":4,"document":"J15","where":"sections 2.1 to 2.3","status":"inferred","note":"The lists of 2015; no list of an earlier date is known."},{"from":"2015-01-07","is":4,"document":"J15","where":"sections 2.1 to 2.3","status":"documented"}]},"initial_most_games":{"what":"The most games that a priority list credits to an initial rating from another system.","unit":"games","values":[{"from":"2001-01-01","is":10,"document":"J15","where":"sections 2.2 to 2.4","status":"inferred","note":"The lists of 2015; no list of an earlier date is known."},{"from":"2015-01-07","is":10,"document":"J15","where":"sections 2.2 to 2.4","status":"documented"}]}},"blend.toml":{"blend_most_games":{"what":"The most games that a blended initial rating counts as.","unit":"games","values":[{"from":"2001-01-01","is":"off","document":"D25","where":"section 8, 2020-06-01","status":"documented"},{"from":"2020-06-01","is":10,"document":"D25","where":"section 2","status":"documented"}]},"blend_staleness_rate":{"what":"How fast an old rating loses weight: the factor in S = exp(rate (Z - most) D / 365.25).","unit":"per year","values":[{"from":"2001-01-01","is":"off","document":"D25","where":"section 8, 2020-06-01","status":"documented"},{"from":"2020-06-01","is":0.06,"document":"D25","where":"section 2, item 4","status":"documented"}]},"blend_strength":{"what":"How strong a rating is for the age of its day: Z = (X - P) / scale, at most `most`.","unit":"most: none; scale: rating points","values":[{"from":"2001-01-01","is":"off","document":"D25","where":"section 8, 2020-06-01","status":"documented"},{"from":"2020-06-01","is":{"most":6,"scale":350},"document":"D25","where":"section 2, item 3","status":"documented"}]},"blend_factor":{"what":"The Game Factor: the most games that each other US Chess rating counts as.","unit":"games","values":[{"from":"2001-01-01","is":"off","document":"D25","where":"section 8, 2020-06-01","status":"documented"},{"from":"2020-06-01","is":{"regular":10,"quick":5,"blitz":5,"online_regular":5,"online_quick":5,"online_blitz":5},"systems":["regular","quick","blitz","online-regular"],"document":"D25","where":"section 2, item 1","status":"documented"},{"from":"2020-06-01","is":{"regular":10,"quick":10,"blitz":5,"online_regular":5,"online_quick":5,"online_blitz":5},"systems":["online-quick"],"document":"D25","where":"section 2, item 1","status":"documented"},{"from":"2020-06-01","is":{"regular":10,"quick":5,"blitz":10,"online_regular":5,"online_quick":5,"online_blitz":5},"systems":["online-blitz"],"document":"D25","where":"section 2, item 1","status":"documented"}]}},"conversions.toml":{"fide_conversion":{"what":"US Chess rating from a FIDE rating F: low_intercept + low_slope F to the knee, high_intercept + high_slope F above it.","unit":"rating points; slopes: points per point","values":[{"from":"2001-01-01","is":{"low_intercept":180,"low_slope":0.94,"knee":2000,"high_intercept":20,"high_slope":1.02},"document":"J15","where":"section 2.6","status":"inferred","note":"The page of July 2008 announces a new FIDE conversion (OUTSIDE section 1); what held before is not known."},{"from":"2009-01-01","is":{"low_intercept":180,"low_slope":0.94,"knee":2000,"high_intercept":20,"high_slope":1.02},"document":"J15","where":"section 2.6","status":"documented","note":"RULINGS section 2 counts 2008 and earlier as inferred, the years after as documented; E20 has the same formula."},{"from":"2024-03-01","is":{"low_intercept":-1073,"low_slope":1.5667,"knee":2000,"high_intercept":20,"high_slope":1.02},"document":"D25","where":"section 2.1; section 8, 2024-03-01","status":"documented","note":"The two lines differ by 0.4 at 2000 (2060.4 and 2060); the drop is the document''s."}]},"fide_youth_conversion":{"what":"The same for all opponents in a foreign FIDE youth event.","unit":"rating points; slopes: points per point","values":[{"from":"2001-01-01","is":{"low_intercept":560,"low_slope":0.76,"knee":2000,"high_intercept":80,"high_slope":1},"document":"J15","where":"section 6","status":"inferred","note":"Known from 2015; no document of an earlier date gives it."},{"from":"2015-01-07","is":{"low_intercept":560,"low_slope":0.76,"knee":2000,"high_intercept":80,"high_slope":1},"document":"J15","where":"section 6","status":"documented"},{"from":"2024-03-01","is":{"low_intercept":-453,"low_slope":1.2667,"knee":2000,"high_intercept":80,"high_slope":1},"document":"D25","where":"section 6","status":"documented"}]},"fide_games":{"what":"Games that a converted FIDE rating counts as: `high` when it is above `above`, else `low`.","unit":"rating points; games","values":[{"from":"2001-01-01","is":{"above":2150,"high":10,"low":5},"systems":["regular","quick","blitz"],"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); J15 sections 2.1 to 2.3","status":"documented"},{"from":"2001-01-01","is":{"above":2150,"high":0,"low":0},"systems":["online-regular","online-quick","online-blitz"],"document":"J15","where":"section 2.4, item 5; section 2.5, item 5","status":"documented"},{"from":"2020-06-01","is":{"above":2000,"high":10,"low":5},"document":"E20","where":"FIDE conversions; D25 section 2.1","status":"documented"}]},"cfc_conversion":{"what":"US Chess rating from a CFC rating C: four lines that meet at three knees; knees_belong_below is 1 when a knee belongs to the line below it.","unit":"rating points; slopes: points per point","values":[{"from":"2001-01-01","is":{"knees_belong_below":1,"intercept_1":-90,"slope_1":1,"knee_1":1500,"intercept_2":-240,"slope_2":1.1,"knee_2":"unlimited","intercept_3":0,"slope_3":0,"knee_3":"unlimited","intercept_4":0,"slope_4":0},"document":"J15","where":"section 2.6","status":"inferred","note":"Known from 2015; no document of an earlier date gives it. Two lines: the others are not used."},{"from":"2015-01-07","is":{"knees_belong_below":1,"intercept_1":-90,"slope_1":1,"knee_1":1500,"intercept_2":-240,"slope_2":1.1,"knee_2":"unlimited","intercept_3":0,"slope_3":0,"knee_3":"unlimited","intercept_4":0,"slope_4":0},"document":"J15","where":"section 2.6","status":"documented"},{"from":"2025-01-01","is":{"knees_belong_below":0,"intercept_1":-115,"slope_1":0.815,"knee_1":1150,"intercept_2":-650,"slope_2":1.28,"knee_2":1610,"intercept_3":-856,"slope_3":1.41,"knee_3":2000,"intercept_4":-240,"slope_4":1.1},"document":"D25","where":"section 2.2; section 8, 2025-01-01","status":"documented","note":"The line drops at 2000 (1999 gives 1962.59, 2000 gives 1960): kept as printed."}]},"cfc_games":{"what":"Games that a converted CFC rating counts as: `high` when it is above `above`, else `low`.","unit":"rating points; games","values":[{"from":"2001-01-01","is":{"above":1500,"high":5,"low":0},"systems":["regular","quick","blitz"],"document":"J15","where":"sections 2.1 to 2.3; OUTSIDE section 2 (specification of 2001 to 2004)","status":"documented","note":"The specification of 2001 to 2004 uses a CFC rating only above 1500 (OUTSIDE section 2); the lists of 2015 use it always and count no games at or below 1500."},{"from":"2001-01-01","is":{"above":1500,"high":0,"low":0},"systems":["online-regular","online-quick","online-blitz"],"document":"J15","where":"section 2.4, item 6; section 2.5, item 6","status":"documented"},{"from":"2020-06-01","is":{"above":0,"high":5,"low":5},"document":"E20","where":"CFC conversions; D25 section 2.2","status":"documented"}]},"cfc_residents_only":{"what":"Whether a CFC rating is used for Canadian residents only.","unit":"yes (1) or no (0)","values":[{"from":"2001-01-01","is":0,"document":"J15","where":"section 2.6","status":"documented"},{"from":"2020-06-01","is":1,"document":"E20","where":"CFC conversions; D25 section 2.2","status":"documented"}]}},"age.toml":{"age_rating":{"what":"offset + slope x age between least_age and most_age, `adult` above; without a usable birth date `adult` for adults, else `default`.","unit":"rating points; years; too_young: variant","values":[{"from":"2001-01-01","is":{"offset":300,"slope":50,"least_age":4,"most_age":20,"adult":1300,"default":750,"too_young":"as-missing","plain_least_age":"off","plain_least":"off"},"document":"OUTSIDE","where":"section 2, initial rating by age until 2006","status":"inferred","note":"From one club page; an age below 4 is read as a missing birth date. The plain formula belongs to the blend and did not exist."},{"from":"2006-03-01","is":{"offset":0,"slope":50,"least_age":3,"most_age":26,"adult":1300,"default":750,"too_young":"as-adult","plain_least_age":"off","plain_least":"off"},"document":"J15","where":"section 2.6; D25 section 8, 2006-??-??","status":"inferred","note":"D25 gives the year only; the committee report of March 2006 recommends the formula (OUTSIDE section 2). The plain formula belongs to the blend and did not exist."},{"from":"2020-06-01","is":{"offset":0,"slope":50,"least_age":3,"most_age":26,"adult":1300,"default":750,"too_young":"as-missing","plain_least_age":2,"plain_least":100},"document":"D25","where":"section 2.3; section 8, 2020-06-01","status":"documented","note":"The formula of D25 has 100 below age 2 and 50 x age from 2, its text sends every age below 3 to the adult or default rating: the text holds for the player, the plain formula for the time of an old rating."}]}},"effective_games.toml":{"effective_games":{"what":"N* = most / sqrt(constant + slope (centre - R)^2) up to the knee, `most` above it; N'' is the smaller of N and N*.","unit":"games; rating points; slope: per squared rating point","values":[{"from":"2001-01-01","is":{"most":50,"constant":1,"slope":1e-05,"centre":2200,"knee":2200},"document":"A01","where":"Standard rating formula; OUTSIDE section 2","status":"documented"},{"from":"2013-05-08","is":{"most":50,"constant":0.662,"slope":7.39e-06,"centre":2569,"knee":2355},"document":"D25","where":"section 3, equation (1); section 8, 2013-05-08","status":"documented","note":"The office announced it for tournaments ending 2013-05-18 (OUTSIDE section 4); the date of D25 is kept."}]},"newcomer_effective_games":{"what":"Effective games of an unrated player with N = 0, in Step 3 only.","unit":"games","values":[{"from":"2001-01-01","is":1,"document":"D25","where":"section 1, Step 3","status":"inferred","note":"No document before 2015 that we have states it; section 8 names no change since 2001."},{"from":"2015-01-07","is":1,"document":"J15","where":"section 1, Step 3","status":"documented"}]}},"special.toml":{"special_most_games":{"what":"A player with at most this many games is rated by the special formula.","unit":"games","values":[{"from":"2001-01-01","is":8,"document":"A01","where":"Special rating formula","status":"documented"}]},"special_reach":{"what":"How far from the opponent''s rating the provisional winning expectancy becomes 0 or 1.","unit":"rating points","values":[{"from":"2001-01-01","is":400,"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); D25 section 4.1","status":"documented"}]},"special_unbroken_shift":{"what":"How far the prior rating moves when all earlier games were wins (down) or losses (up).","unit":"rating points","values":[{"from":"2001-01-01","is":400,"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); D25 section 4.1","status":"documented"}]},"special_ceiling":{"what":"The highest result of the special formula.","unit":"rating points","values":[{"from":"2001-01-01","is":2700,"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); D25 section 4.1","status":"documented"}]},"special_tolerance":{"what":"Values of the objective function this near to 0 count as 0.","unit":"games","values":[{"from":"2001-01-01","is":1e-07,"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); D25 section 4.1","status":"documented"}]}},"standard.toml":{"logistic_scale":{"what":"Scale of the winning expectancy 1 / (1 + 10^((opponent - own) / scale)).","unit":"rating points","values":[{"from":"2001-01-01","is":400,"document":"A01","where":"Standard rating formula; D25 section 4.2","status":"documented"}]},"k_numerator":{"what":"K = numerator / (N'' + m).","unit":"rating points x games","values":[{"from":"2001-01-01","is":800,"document":"A01","where":"Standard rating formula; D25 section 4.2","status":"documented"}]},"half_k":{"what":"Sections at half K: K = numerator / (N'' + game_weight m), and N grows by game_weight m.","unit":"numerator: rating points x games; game_weight: none","values":[{"from":"2001-01-01","is":{"numerator":400,"game_weight":0.5},"document":"A01","where":"Standard rating formula; OUTSIDE section 2","status":"documented"},{"from":"2006-03-01","is":"off","document":"OUTSIDE","where":"section 2, March 2006","status":"inferred","note":"The committee report says March 2006; the page of July 2008 also lists the end of half K (OUTSIDE section 1). The day is our reading."}]},"reduced_k":{"what":"Dual-rated sections: above `above` K is multiplied by (intercept - slope R), from `least_from` K = least_numerator / (N'' + m).","unit":"rating points; intercept, slope: none, per rating point; least_numerator: rating points x games","values":[{"from":"2001-01-01","is":"off","document":"RULINGS","where":"section 2, reduced K","status":"inferred","note":"Introduced with the effective games of 2013 (OUTSIDE section 4); no earlier document has it."},{"from":"2013-05-08","is":{"above":2200,"intercept":6.5,"slope":0.0025,"least_from":2500,"least_numerator":200},"systems":["regular"],"document":"D25","where":"section 4.2, K-factor","status":"inferred","note":"Section 8 does not list it; the office announced it with the effective games (OUTSIDE section 4). J15 and N15 do not name the system; D25 says OTB Regular."}]}},"bonus.toml":{"bonus_multiplier":{"what":"B: points gained beyond B sqrt(m'') count twice, m'' = max(m, 4).","unit":"rating points per square root of a game","values":[{"from":"2001-01-01","is":10,"document":"D25","where":"section 8, 2008-06-06 (\"reduced to 6 (from 10)\"); A01, Standard rating formula","status":"documented","note":"A01 announces a return to 16 in January 2003; it never took effect (the page of September 2004 and D25 have 10)."},{"from":"2008-06-06","is":6,"document":"D25","where":"section 8, 2008-06-06","status":"documented","note":"E20 prints 2008-08-07; the date of D25 is kept."},{"from":"2012-08-03","is":8,"document":"D25","where":"section 8, 2012-08-03","status":"documented","note":"E20 prints 2012-08-04; the date of D25 is kept."},{"from":"2014-03-20","is":10,"document":"D25","where":"section 8, 2014-03-20; J15 section 4.2","status":"documented"},{"from":"2015-06-01","is":12,"document":"D25","where":"section 8, 2015-06-01; N15 section 4.2","status":"documented"},{"from":"2017-06-01","is":14,"document":"D25","where":"section 8, 2017-06-01","status":"documented","note":"E20 says \"effective May 1, 2017\", and the office announced it for tournaments ending on May 1 or later (OUTSIDE section 4); the date of D25 is kept."},{"from":"2023-02-01","is":12,"document":"D25","where":"section 4.2; section 8, 2023-02-01","status":"documented","note":"The office keyed the change on the end of the event (OUTSIDE section 4); D25 keys every change on the start of the section."},{"from":"2025-01-01","is":10,"document":"E25","where":"section 4.2","status":"documented","note":"D25 of February 2025 still has 12; the change was announced in 2025 for all events of the year (OUTSIDE section 4)."}]},"bonus_least_counted_games":{"what":"m'' of the bonus is at least this: events of three games are treated as events of four.","unit":"games","values":[{"from":"2001-01-01","is":4,"document":"A01","where":"Standard rating formula; D25 section 4.2","status":"documented"}]},"bonus_eligibility":{"what":"Who can earn a bonus: at least least_games, nobody met more than most_meetings times, with exactly least_games nobody more than most_meetings_at_least_games times.","unit":"games; meetings","values":[{"from":"2001-01-01","is":{"least_games":3,"most_meetings":2,"most_meetings_at_least_games":2},"document":"J15","where":"section 4.2, rating updates; OUTSIDE section 2 (specification of 2001 to 2004)","status":"documented","note":"A01 asks for three distinct opponents; that belongs to its approximating formulas only."},{"from":"2025-02-10","is":{"least_games":3,"most_meetings":2,"most_meetings_at_least_games":1},"document":"D25","where":"section 4.2, rating updates","status":"inferred","note":"The date of the change is not known; E20 does not have it, D25 of this date does, and section 8 does not list it."}]}},"floors.toml":{"absolute_floor":{"what":"No rating is lower than this.","unit":"rating points","values":[{"from":"2001-01-01","is":100,"document":"A01","where":"Rating floors; D25 section 5","status":"documented"}]},"personal_floor":{"what":"Personal absolute floor: absolute floor + win x wins + draw x draws + section x sections of at least section_games games, at most `most`.","unit":"rating points; games","values":[{"from":"2001-01-01","is":"off","document":"D25","where":"section 8, 2008-08-07","status":"documented"},{"from":"2008-08-07","is":{"win":4,"draw":2,"section":1,"section_games":3,"most":150},"systems":["regular","quick","blitz"],"document":"D25","where":"section 5; section 8, 2008-08-07","status":"documented","note":"A page of 2009 speaks of June 2008 (OUTSIDE section 5); the date of D25 is kept. \"Completed three rated games\" is read as at least three, as the example of section 5 says."}]},"peak_floor":{"what":"Floor from the highest established rating: rounded peak - drop, down to a multiple of step, from lowest to highest.","unit":"rating points","values":[{"from":"2001-01-01","is":{"lowest":1400,"highest":2100,"drop":200,"step":100},"systems":["regular"],"document":"A01","where":"Rating floors","status":"documented"},{"from":"2001-01-01","is":{"lowest":1400,"highest":2100,"drop":200,"step":100},"systems":["quick","blitz"],"document":"A01","where":"Rating floors","status":"inferred","note":"A01 names no system; D25 section 5 restricts only the personal and the Original Life Master floor to certain systems. Every OTB system from its first day is our reading."},{"from":"2001-01-01","is":"off","systems":["online-regular","online-quick","online-blitz"],"document":"OUTSIDE","where":"section 5, online","status":"inferred","note":"D25 section 5 does not exclude online systems; the programs of the office used the absolute floor only."},{"from":"2010-04-01","is":{"lowest":1200,"highest":2100,"drop":200,"step":100},"systems":["regular"],"document":"D25","where":"section 5; section 8, 2010-04-01","status":"documented"},{"from":"2010-04-01","is":{"lowest":1200,"highest":2100,"drop":200,"step":100},"systems":["quick","blitz"],"document":"D25","where":"section 5; section 8, 2010-04-01","status":"inferred","note":"Section 5 names no system for this floor; every OTB system from its first day is our reading."}]},"olm_floor":{"what":"Original Life Master: `games` games played from an established rating of `rating` or more give the floor `level`.","unit":"rating points; games","values":[{"from":"2001-01-01","is":{"level":2200,"games":300,"rating":2200},"systems":["regular"],"document":"D25","where":"section 5","status":"inferred","note":"The specifications say above 2200; the rulebook and the practice of the office are 2200 or more (OUTSIDE section 5). No document before 2009 that we have gives it."},{"from":"2001-01-01","is":"off","systems":["quick","blitz","online-regular","online-quick","online-blitz"],"document":"D25","where":"section 5 (\"for OTBR ratings only\")","status":"documented"}]},"money_floor":{"what":"A prize of at least `prize` limited to players below `highest` or lower: the floor is the first multiple of step at which the player is no longer eligible.","unit":"prize: US dollars; highest, step: rating points","values":[{"from":"2001-01-01","is":{"prize":1000,"highest":2000,"step":100},"document":"OUTSIDE","where":"section 2, March 2006","status":"documented"},{"from":"2006-03-01","is":{"prize":2000,"highest":2000,"step":100},"document":"OUTSIDE","where":"section 2, March 2006; J15 section 5","status":"inferred","note":"The committee report says March 2006, the day is our reading. J15 and N15 say over $2,000, their example sets the floor at exactly $2,000: at or above counts."},{"from":"2016-01-01","is":{"prize":4000,"highest":2000,"step":100},"document":"D25","where":"section 5; OUTSIDE section 5","status":"inferred","note":"The day is our reading of \"a few years back\" in 2018; N15 of June 2015 still has $2,000, E20 has $4,000."}]}},"stored_precision.toml":{"stored_precision":{"what":"Stored ratings: integers rounded away from the pre-event rating, or floating point.","unit":"variant","values":[{"from":"2001-01-01","is":"integer-away","document":"A01","where":"Standard rating formula (\"rounded away from the pre-event rating\"); OUTSIDE section 2","status":"documented","note":"A01 rounds its own approximation to the nearest integer and then prints 1446.22 as 1447; the actual formulas round away."},{"from":"2014-09-01","is":"float","document":"D25","where":"section 8, 2014-09-01; section 7","status":"documented"}]},"stored_precision_tolerance":{"what":"A result this near to an integer is that integer before it is rounded away.","unit":"rating points","values":[{"from":"2001-01-01","is":1e-06,"document":"RULINGS","where":"A14","status":"inferred","note":"Our guard against floating point noise; no document speaks of it."}]}},"matches.toml":{"match_difference":{"what":"The most by which the published ratings of the two players may differ.","unit":"rating points","values":[{"from":"2001-01-01","is":400,"document":"OUTSIDE","where":"section 2 (specification of 2001 to 2004); D25 section 7","status":"documented"}]},"match_change":{"what":"The most by which one match may change a rating.","unit":"rating points","values":[{"from":"2001-01-01","is":"off","document":"OUTSIDE","where":"section 2, matches then","status":"documented"},{"from":"2006-01-01","is":50,"document":"OUTSIDE","where":"section 2, 2006 match rules; D25 section 7","status":"inferred","note":"Published in 2006; the day is our reading."}]},"match_net_short":{"what":"The most net change by matches within the shorter window of days that ends with the match.","unit":"rating points; days","values":[{"from":"2001-01-01","is":"off","document":"OUTSIDE","where":"section 2, matches then","status":"documented"},{"from":"2006-01-01","is":{"points":100,"days":180},"document":"OUTSIDE","where":"section 2, 2006 match rules; D25 section 7","status":"inferred","note":"Published in 2006; the day is our reading."}]},"match_net_long":{"what":"The most net change by matches within the longer window of calendar years that ends with the match.","unit":"rating points; years","values":[{"from":"2001-01-01","is":{"points":200,"years":3},"document":"OUTSIDE","where":"section 2, matches then; D25 section 7","status":"documented"}]},"match_floor_drop":{"what":"How far a floor is lowered when the office grants the request of a match result below it.","unit":"rating points","values":[{"from":"2001-01-01","is":100,"document":"D25","where":"section 7","status":"inferred","note":"No document before 2015 that we have states it; section 8 names no change since 2001."},{"from":"2015-01-07","is":100,"document":"J15","where":"section 7","status":"documented"}]},"match_coding_least_games":{"what":"From how many games on a section of just two players must be coded as a match.","unit":"games","values":[{"from":"2001-01-01","is":"off","document":"OUTSIDE","where":"section 2, 2006 match rules","status":"inferred","note":"The rule was published in 2006; nothing says that it held before."},{"from":"2006-01-01","is":2,"document":"OUTSIDE","where":"section 2, 2006 match rules","status":"inferred","note":"Published in 2006; the day is our reading."}]}},"foreign_fide.toml":{"foreign_eligibility":{"what":"Whose rating a foreign FIDE event updates: US flag or member, or members with an established OTB Regular rating.","unit":"variant","values":[{"from":"2001-01-01","is":"flag-or-member","document":"N15","where":"section 6","status":"inferred","note":"Known from 2015; no document of an earlier date gives it."},{"from":"2015-01-07","is":"flag-or-member","document":"J15","where":"section 6","status":"documented","note":"J15 prints \"FIDE rating of 2200 with a USA flag or are current USCF members\", N15 corrects it to members with at least 2200 and a USA flag."},{"from":"2025-02-10","is":"established-member","document":"D25","where":"section 6","status":"inferred","note":"The date of the change is not known: after 2015, in D25 of this date; section 8 does not list it."}]},"foreign_automatic_rating":{"what":"FIDE rating from which eligible players are updated without asking for it.","unit":"rating points","values":[{"from":"2001-01-01","is":2200,"document":"N15","where":"section 6","status":"inferred","note":"Known from 2015; no document of an earlier date gives it."},{"from":"2015-01-07","is":2200,"document":"J15","where":"section 6","status":"documented"}]},"foreign_games_above":{"what":"Players with at most this many games, and unrated players, are not updated: the standard formula is not theirs.","unit":"games","values":[{"from":"2001-01-01","is":8,"document":"RULINGS","where":"section 2, foreign FIDE events","status":"inferred","note":"Section 6 applies the standard formula to everybody; section 4.2 reserves it for N above 8. D25 asks for an established rating, which is stricter."}]}}}','','2026-11-20T12:00:00Z');
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	started_at TEXT NOT NULL, 
	finished_at TEXT, 
	started_by TEXT NOT NULL, 
	engine TEXT NOT NULL, 
	platform TEXT NOT NULL, 
	rulebook_id INTEGER NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id), 
	CONSTRAINT fk_runs_rulebook_id_rulebooks FOREIGN KEY(rulebook_id) REFERENCES rulebooks (id)
);
INSERT INTO "runs" VALUES(1,'rate','2026-11-20T12:00:00Z','2026-11-20T12:00:00Z','office','0.1.0','x86_64 Linux Python 3.11.7',1);
INSERT INTO "runs" VALUES(2,'rate','2026-11-20T12:00:00Z','2026-11-20T12:00:00Z','office','0.1.0','x86_64 Linux Python 3.11.7',1);
INSERT INTO "runs" VALUES(3,'rerate','2026-11-20T12:00:00Z','2026-11-20T12:00:00Z','office','0.1.0','x86_64 Linux Python 3.11.7',1);
CREATE TABLE sections (
	id INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	place TEXT NOT NULL, 
	name TEXT NOT NULL, 
	start DATE, 
	"end" DATE NOT NULL, 
	time_control TEXT, 
	type TEXT NOT NULL, 
	online BOOLEAN NOT NULL, 
	half_k BOOLEAN NOT NULL, 
	youth BOOLEAN NOT NULL, 
	withdrawn BOOLEAN NOT NULL, 
	CONSTRAINT pk_sections PRIMARY KEY (id), 
	CONSTRAINT fk_sections_event_id_events FOREIGN KEY(event_id) REFERENCES events (id)
);
INSERT INTO "sections" VALUES(1,'202601030001',1,'2026-01-03	202601030001	00001','OPEN','2026-01-03','2026-01-03','G/90;d5','swiss',0,0,0,0);
INSERT INTO "sections" VALUES(2,'202601170001',1,'2026-01-17	202601170001	00001','OPEN','2026-01-17','2026-01-17','G/45;d5','swiss',0,0,0,0);
INSERT INTO "sections" VALUES(3,'202601100001',1,'2026-01-10	202601100001	00001','OPEN','2026-01-10','2026-01-10','G/90;d5','swiss',0,0,0,0);
CREATE TABLE submissions (
	id INTEGER NOT NULL, 
	event_id TEXT NOT NULL, 
	event_name TEXT NOT NULL, 
	status TEXT NOT NULL, 
	source_name TEXT NOT NULL, 
	received DATE NOT NULL, 
	submitted_by TEXT NOT NULL, 
	submitted_at TEXT NOT NULL, 
	report TEXT NOT NULL, 
	stated TEXT NOT NULL, 
	content_hash TEXT NOT NULL, 
	roster_hash TEXT NOT NULL, 
	revises INTEGER, 
	decision_id INTEGER, 
	CONSTRAINT pk_submissions PRIMARY KEY (id), 
	CONSTRAINT fk_submissions_revises_submissions FOREIGN KEY(revises) REFERENCES submissions (id), 
	CONSTRAINT fk_submissions_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)
);
INSERT INTO "submissions" VALUES(1,'202601030001','EXAMPLE OPEN','rated','report.json','2026-01-03','office','2026-11-20T12:00:00Z','{
  "format": "ratebook-report/1",
  "event": {"id": "202601030001", "name": "EXAMPLE OPEN", "start": "2026-01-03", "end": "2026-01-03"},
  "players": [
    {"id": "90000001", "name": "EXAMPLE, PLAYER 1"},
    {"id": "90000002", "name": "EXAMPLE, PLAYER 2"},
    {"id": "90000003", "name": "EXAMPLE, PLAYER 3"},
    {"id": "90000004", "name": "EXAMPLE, PLAYER 4"},
    {"id": "90000005", "name": "EXAMPLE, PLAYER 5"},
    {"id": "90000006", "name": "EXAMPLE, PLAYER 6"}
  ],
  "sections": [
    {"number": 1, "name": "OPEN", "start": "2026-01-03", "end": "2026-01-03", "time_control": "G/90;d5", "type": "swiss", "online": false,
     "entries": [
       {"seat": 1, "player": "90000001", "rounds": ["W4", "W2", "D3"]},
       {"seat": 2, "player": "90000002", "rounds": ["W5", "L1", "H"]},
       {"seat": 3, "player": "90000003", "rounds": ["D6", "W5", "D1"]},
       {"seat": 4, "player": "90000004", "rounds": ["L1", "W6", "W5"]},
       {"seat": 5, "player": "90000005", "rounds": ["L2", "L3", "L4"]},
       {"seat": 6, "player": "90000006", "rounds": ["D3", "L4", "B"]}
     ]}
  ]
}
','{"rounds": {}, "systems": {}}','3943e175b5f02dd035c44bcec02105fa','cf31bf46d996a8dcd13df8e289dd8321',NULL,NULL);
INSERT INTO "submissions" VALUES(2,'202601170001','EXAMPLE OPEN','rated','report.json','2026-01-17','office','2026-11-20T12:00:00Z','{
  "format": "ratebook-report/1",
  "event": {"id": "202601170001", "name": "EXAMPLE OPEN", "start": "2026-01-17", "end": "2026-01-17"},
  "players": [
    {"id": "90000003", "name": "EXAMPLE, PLAYER 3"},
    {"id": "90000005", "name": "EXAMPLE, PLAYER 5"},
    {"id": "90000007", "name": "EXAMPLE, PLAYER 7"},
    {"id": "90000001", "name": "EXAMPLE, PLAYER 1"},
    {"id": "90000002", "name": "EXAMPLE, PLAYER 2"},
    {"id": "90000008", "name": "EXAMPLE, PLAYER 8"}
  ],
  "sections": [
    {"number": 1, "name": "OPEN", "start": "2026-01-17", "end": "2026-01-17", "time_control": "G/45;d5", "type": "swiss", "online": false,
     "entries": [
       {"seat": 1, "player": "90000003", "rounds": ["W4", "W2", "D3"]},
       {"seat": 2, "player": "90000005", "rounds": ["W5", "L1", "H"]},
       {"seat": 3, "player": "90000007", "rounds": ["D6", "W5", "D1"]},
       {"seat": 4, "player": "90000001", "rounds": ["L1", "W6", "W5"]},
       {"seat": 5, "player": "90000002", "rounds": ["L2", "L3", "L4"]},
       {"seat": 6, "player": "90000008", "rounds": ["D3", "L4", "B"]}
     ]}
  ]
}
','{"rounds": {}, "systems": {}}','42c57ebbab58beceef2882b41d753e2a','dd8dad366c4657573967679d744b14e0',NULL,NULL);
INSERT INTO "submissions" VALUES(3,'202601100001','EXAMPLE OPEN','rated','report.json','2026-01-10','office','2026-11-20T12:00:00Z','{
  "format": "ratebook-report/1",
  "event": {"id": "202601100001", "name": "EXAMPLE OPEN", "start": "2026-01-10", "end": "2026-01-10"},
  "players": [
    {"id": "90000008", "name": "EXAMPLE, PLAYER 8"},
    {"id": "90000006", "name": "EXAMPLE, PLAYER 6"},
    {"id": "90000004", "name": "EXAMPLE, PLAYER 4"},
    {"id": "90000002", "name": "EXAMPLE, PLAYER 2"},
    {"id": "90000001", "name": "EXAMPLE, PLAYER 1"},
    {"id": "90000003", "name": "EXAMPLE, PLAYER 3"}
  ],
  "sections": [
    {"number": 1, "name": "OPEN", "start": "2026-01-10", "end": "2026-01-10", "time_control": "G/90;d5", "type": "swiss", "online": false,
     "entries": [
       {"seat": 1, "player": "90000008", "rounds": ["W4", "W2", "D3"]},
       {"seat": 2, "player": "90000006", "rounds": ["W5", "L1", "H"]},
       {"seat": 3, "player": "90000004", "rounds": ["D6", "W5", "D1"]},
       {"seat": 4, "player": "90000002", "rounds": ["L1", "W6", "W5"]},
       {"seat": 5, "player": "90000001", "rounds": ["L2", "L3", "L4"]},
       {"seat": 6, "player": "90000003", "rounds": ["D3", "L4", "B"]}
     ]}
  ]
}
','{"rounds": {}, "systems": {}}','b6800dfd667f68eca1d2714109e72db1','1b7eb8b57874befcb74211419261024b',NULL,NULL);
INSERT INTO "submissions" VALUES(4,'202602070001','EXAMPLE OPEN','held','report.json','2026-02-07','office','2026-11-20T12:00:00Z','{
  "format": "ratebook-report/1",
  "event": {"id": "202602070001", "name": "EXAMPLE OPEN", "start": "2026-02-07", "end": "2026-02-07"},
  "players": [
    {"id": "90000001", "name": "EXAMPLE, PLAYER 1"},
    {"id": "90000002", "name": "EXAMPLE, PLAYER 2"},
    {"id": "90000003", "name": "EXAMPLE, PLAYER 3"},
    {"id": "90000004", "name": "EXAMPLE, PLAYER 4"},
    {"id": "90000005", "name": "EXAMPLE, PLAYER 5"},
    {"id": "90000020", "name": "EXAMPLE, PLAYER 20"}
  ],
  "sections": [
    {"number": 1, "name": "OPEN", "start": "2026-02-07", "end": "2026-02-07", "time_control": "G/90;d5", "type": "swiss", "online": false,
     "entries": [
       {"seat": 1, "player": "90000001", "rounds": ["W4", "W2", "D3"]},
       {"seat": 2, "player": "90000002", "rounds": ["W5", "L1", "H"]},
       {"seat": 3, "player": "90000003", "rounds": ["D6", "W5", "D1"]},
       {"seat": 4, "player": "90000004", "rounds": ["L1", "W6", "W5"]},
       {"seat": 5, "player": "90000005", "rounds": ["L2", "L3", "L4"]},
       {"seat": 6, "player": "90000020", "rounds": ["D3", "L4", "B"]}
     ]}
  ]
}
','{"rounds": {}, "systems": {}}','92574a71978a4d5b59d4f8183a648591','04b504d6877a3d6b37747a2444fdb1a1',NULL,NULL);
CREATE TABLE titles (
	member_id TEXT NOT NULL, 
	title TEXT NOT NULL, 
	earned DATE NOT NULL, 
	CONSTRAINT fk_titles_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
);
CREATE INDEX ix_audit_subject ON audit (subject);
CREATE INDEX ix_members_folded_name ON members (folded_name);
CREATE INDEX ix_members_merged_into ON members (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX ix_decisions_member_id_kind ON decisions (member_id, kind);
CREATE UNIQUE INDEX uq_external_ratings_member_id_source_list_date ON external_ratings (member_id, source, list_date);
CREATE INDEX ix_memberships_member_id ON memberships (member_id);
CREATE INDEX ix_published_ratings_member_id ON published_ratings (member_id, system, list_id);
CREATE UNIQUE INDEX uq_published_ratings_list_id_member_id_system ON published_ratings (list_id, member_id, system);
CREATE UNIQUE INDEX uq_titles_member_id_title ON titles (member_id, title);
CREATE UNIQUE INDEX uq_opening_balances_member_id_system ON opening_balances (member_id, system);
CREATE INDEX ix_submissions_content_hash ON submissions (content_hash);
CREATE INDEX ix_submissions_event_id ON submissions (event_id);
CREATE INDEX ix_submissions_roster_hash ON submissions (roster_hash);
CREATE INDEX ix_submissions_status ON submissions (status);
CREATE INDEX ix_findings_submission_id ON findings (submission_id);
CREATE UNIQUE INDEX uq_sections_event_id_number ON sections (event_id, number);
CREATE UNIQUE INDEX uq_sections_place ON sections (place);
CREATE INDEX ix_entries_member_id ON entries (member_id);
CREATE UNIQUE INDEX uq_entries_section_id_seat ON entries (section_id, seat);
CREATE UNIQUE INDEX uq_games_section_id_seat_round ON games (section_id, seat, round);
CREATE INDEX ix_norms_section_id ON norms (section_id);
CREATE UNIQUE INDEX uq_norms_member_id_place ON norms (member_id, place);
CREATE INDEX ix_postings_run_id ON postings (run_id);
CREATE UNIQUE INDEX uq_postings_current ON postings (section_id, system) WHERE superseded_by IS NULL;
CREATE INDEX ix_rerate_marks_done_by ON rerate_marks (done_by);
CREATE INDEX ix_ledger_current_section ON ledger (section_id, system) WHERE superseded_by IS NULL;
CREATE INDEX ix_ledger_posting_id ON ledger (posting_id);
CREATE INDEX ix_ledger_superseded_by ON ledger (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE UNIQUE INDEX uq_ledger_current ON ledger (member_id, system, place) WHERE superseded_by IS NULL;
CREATE TRIGGER ledger_keeps_rows BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'rows of ledger are kept'); END;
CREATE TRIGGER published_lists_keeps_rows BEFORE DELETE ON published_lists BEGIN SELECT RAISE(ABORT, 'rows of published_lists are kept'); END;
CREATE TRIGGER published_ratings_keeps_rows BEFORE DELETE ON published_ratings BEGIN SELECT RAISE(ABORT, 'rows of published_ratings are kept'); END;
CREATE TRIGGER ledger_closes_once BEFORE UPDATE ON ledger WHEN OLD.superseded_by IS NOT NULL OR NEW.id IS NOT OLD.id OR NEW.posting_id IS NOT OLD.posting_id OR NEW.section_id IS NOT OLD.section_id OR NEW.member_id IS NOT OLD.member_id OR NEW.system IS NOT OLD.system OR NEW.place IS NOT OLD.place OR NEW.source IS NOT OLD.source OR NEW.rating_before IS NOT OLD.rating_before OR NEW.games_before IS NOT OLD.games_before OR NEW.rating IS NOT OLD.rating OR NEW.games IS NOT OLD.games OR NEW.wins IS NOT OLD.wins OR NEW.draws IS NOT OLD.draws OR NEW.losses IS NOT OLD.losses OR NEW.record IS NOT OLD.record OR NEW.long_events IS NOT OLD.long_events OR NEW.peak IS NOT OLD.peak OR NEW.life_master_games IS NOT OLD.life_master_games OR NEW.floors IS NOT OLD.floors OR NEW.match_change IS NOT OLD.match_change OR NEW.played IS NOT OLD.played OR NEW.formula IS NOT OLD.formula OR NEW.effective_games IS NOT OLD.effective_games OR NEW.k IS NOT OLD.k OR NEW.score IS NOT OLD.score OR NEW.expected IS NOT OLD.expected OR NEW.bonus IS NOT OLD.bonus OR NEW.step3 IS NOT OLD.step3 OR NEW.step4 IS NOT OLD.step4 OR NEW.step5 IS NOT OLD.step5 OR NEW.floor_applied IS NOT OLD.floor_applied BEGIN SELECT RAISE(ABORT, 'rows of ledger do not change'); END;
CREATE TRIGGER published_lists_never_changes BEFORE UPDATE ON published_lists BEGIN SELECT RAISE(ABORT, 'rows of published_lists do not change'); END;
CREATE TRIGGER published_ratings_never_changes BEFORE UPDATE ON published_ratings BEGIN SELECT RAISE(ABORT, 'rows of published_ratings do not change'); END;
COMMIT;
